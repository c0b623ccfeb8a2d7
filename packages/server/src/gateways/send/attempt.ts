import {
  type Channel,
  channels,
  type DeliveryOutcome,
  type EmailAdapter,
  type FailureReason,
  type Message,
  type NoticeText,
  type NumberFormat,
  parseDestination,
  sendNotice,
  webhookIdOf,
} from '@svc/channels';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { fingerprint, type KeyRing } from '../../platform/crypto/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import { traceparentHere } from '../../platform/telemetry/index.ts';
import { type RecipientDefinition, verifyApprovedHash } from './definition.ts';
import type { DestinationRules } from './destination-rules.ts';
import type { MeasureAttempt } from './measured-attempts.ts';
import type { AttemptEnd, RecipientApproval, RecipientRow, SkipReason } from './ports.ts';
import type { SendSettings } from './settings.ts';
import { openRecipient } from './stored-recipient.ts';
import { createTransport, startDeadline } from './transport.ts';

export type AttemptDeps = {
  readonly settings: SendSettings;
  readonly rules: DestinationRules;
  readonly keyRing: KeyRing;
  readonly outbound: Pick<Outbound, 'request'>;
  readonly email?: EmailAdapter | undefined;
  readonly log: Pick<Logger, 'warn'>;
  readonly clock?: Clock | undefined;
  /** Absent: attempts are not measured. */
  readonly measure?: MeasureAttempt | undefined;
};

/** Identity of one attempt. */
export type AttemptContext = {
  readonly deliveryId: string;
  /** The same for every attempt at the same message. */
  readonly messageId: string;
  /** Due time of the message's run. Absent for a message without a run. */
  readonly runDueAt?: Date;
  readonly signal: AbortSignal;
};

/** Destination of a message, with its format and its signing secrets. */
export type Target = RecipientDefinition & {
  readonly bodyTemplate?: string | undefined;
  readonly numbers?: NumberFormat | undefined;
  readonly signingSecrets?: readonly string[];
};

const nothing = {
  mayHaveArrived: false,
  httpClass: null,
  bytesSent: 0,
  durationMs: 0,
  remoteId: null,
  notes: [],
} as const;

/** Returns the end of an attempt that was not allowed to send. */
export const skipped = (reason: SkipReason): AttemptEnd => ({ ...nothing, state: 'Skipped', reason });

/** Returns the end of an attempt that failed before it sent anything. */
export const failed = (reason: FailureReason): AttemptEnd => ({
  ...nothing,
  state: 'Failed',
  reason,
});

/** Returns the reason why a definition must not receive messages, or undefined if it may (spec 3 section 5.6). */
function refusalOf(
  keyRing: KeyRing,
  definition: RecipientDefinition,
  approval: RecipientApproval,
): SkipReason | undefined {
  if (approval.kind === 'NotGoverned') return undefined;
  const waiting = approval.state === 'Rejected' ? 'Rejected' : 'AwaitingApproval';
  if (approval.approvedHash === null) return waiting;
  switch (verifyApprovedHash(keyRing, definition, approval.approvedHash)) {
    case 'Current':
    case 'Previous':
      return undefined;
    case 'UnknownKey':
      return 'ApprovalUnverifiable';
    case 'Mismatch':
      return approval.state === 'Approved' ? 'ChangedSinceApproval' : waiting;
  }
}

function endOf(outcome: DeliveryOutcome): AttemptEnd {
  const { httpStatus, bytesSent, durationMs } = outcome;
  const figures = {
    httpClass: httpStatus === undefined ? null : `${Math.floor(httpStatus / 100)}xx`,
    ...(httpStatus !== undefined && { httpStatus }),
    bytesSent,
    durationMs,
  };
  if (outcome.outcome === 'Sent')
    return {
      ...figures,
      state: 'Sent',
      reason: null,
      mayHaveArrived: true,
      remoteId: outcome.messageId ?? null,
      notes: outcome.notes,
    };
  const { reason, mayHaveArrived } = outcome;
  // The caller cancelled the attempt after the request may have been sent: the outcome is unknown.
  if (reason === 'Cancelled' && mayHaveArrived)
    return { ...figures, state: 'Unknown', reason: 'Interrupted', mayHaveArrived, remoteId: null, notes: [] };
  return {
    ...figures,
    state: 'Failed',
    reason,
    mayHaveArrived,
    remoteId: null,
    notes: [],
    ...(outcome.retryAfterSeconds !== undefined && { retryAfterSeconds: outcome.retryAfterSeconds }),
  };
}

/** Returns the W3C trace header of the current span, if there is a recorded one. */
function traceHeaders(): Record<string, string> {
  const traceparent = traceparentHere();
  return traceparent === undefined ? {} : { traceparent };
}

/**
 * Returns the id of an email, the same for each attempt. Run ids repeat across installations, and a mailbox hides an email
 * with a known id. A fingerprint under the oldest key makes the id unique per installation.
 */
function mailIdOf(ring: KeyRing, { messageId, runDueAt }: AttemptContext): { mailId?: string } {
  if (!runDueAt) return {};
  const oldest = { ...ring, current: ring.previous.at(-1) ?? ring.current };
  return { mailId: `${messageId}.${fingerprint(oldest, ['mail', messageId, runDueAt.toISOString()])}` };
}

/** Sends a message to a definition that was checked before: policy, rendering, one attempt through the outbound gateway. */
export async function deliver(
  deps: AttemptDeps,
  target: Target,
  message: Message,
  context: AttemptContext,
): Promise<AttemptEnd> {
  const { rules, settings, log, clock = systemClock } = deps;
  const { type, destination, customHeaders, bodyTemplate, numbers, signingSecrets: secrets = [] } = target;
  if (rules.isDisabled(type)) return failed('ChannelDisabled');
  const parsed = parseDestination(type, destination);
  if (!parsed.ok || !rules.isAllowed(parsed.value) || !rules.areHeadersAllowed(customHeaders))
    return failed('DestinationNotAllowed');
  const channel: Channel = channels[type];
  const policy = rules.policyOf(type);
  const deadline = startDeadline(settings.deliveryTimeoutMs, context.signal);
  const delivering = channel.deliver(
    {
      message,
      destination: destination.trim(),
      ...(type === 'Webhook' ? { customHeaders } : {}),
      ...(bodyTemplate ? { bodyTemplate } : {}),
      ...(numbers ? { numbers } : {}),
      ...(secrets.length > 0
        ? { signing: { messageId: webhookIdOf(context.messageId), timestamp: clock.now(), secrets } }
        : {}),
      ...(type === 'Email' ? mailIdOf(deps.keyRing, context) : {}),
    },
    {
      // The host sends email, so email has no outbound policy. A request without a policy must fail.
      request: policy
        ? createTransport(deps.outbound, policy, {
            deadline,
            correlationId: context.deliveryId,
            clock,
            // Only webhooks get a trace: chats and trackers do not use it.
            headers: type === 'Webhook' ? traceHeaders() : {},
          })
        : async () => ({ ok: false, reason: 'DestinationNotAllowed', mayHaveArrived: false, durationMs: 0 }),
      ...(deps.email ? { email: deps.email } : {}),
      signal: deadline.signal,
      warn: (event, cause) => log.warn({ deliveryId: context.deliveryId, channel: type, err: cause }, event),
    },
  );
  try {
    return endOf(await delivering);
  } finally {
    deadline.end();
  }
}

/**
 * Sends a message to a recipient that was just read: decrypts it, checks the approval, and delivers exactly the checked
 * definition.
 */
export async function deliverToRecipient(
  deps: AttemptDeps,
  row: RecipientRow,
  message: Message,
  context: AttemptContext,
): Promise<AttemptEnd> {
  const opened = openRecipient(deps.keyRing, row, deps.settings);
  if (!opened.ok) return failed(opened.reason);
  const { definition, signingSecrets } = opened;
  const refusal = refusalOf(deps.keyRing, definition, row.approval);
  if (refusal) return skipped(refusal);
  const { bodyTemplate, numbers } = row;
  const target = { ...definition, bodyTemplate: bodyTemplate ?? undefined, numbers, signingSecrets };
  const attempt = () => deliver(deps, target, message, context);
  return deps.measure ? deps.measure(definition.type, attempt) : attempt();
}

/** Emails a notice of the service to a user. It has no recipient and no approval, but the rules of email apply. */
export async function deliverNotice(
  deps: AttemptDeps,
  notice: NoticeText & { readonly to: string },
  context: Pick<AttemptContext, 'deliveryId' | 'signal'>,
): Promise<AttemptEnd> {
  const { rules, settings, log } = deps;
  if (rules.isDisabled('Email')) return failed('ChannelDisabled');
  const parsed = parseDestination('Email', notice.to);
  if (!parsed.ok || !rules.isAllowed(parsed.value)) return failed('DestinationNotAllowed');
  const deadline = startDeadline(settings.deliveryTimeoutMs, context.signal);
  try {
    const { title, text, link, to } = notice;
    const outcome = await sendNotice({ title, text, ...(link !== undefined && { link }) }, to, {
      ...(deps.email ? { email: deps.email } : {}),
      signal: deadline.signal,
      warn: (event, cause) =>
        log.warn({ deliveryId: context.deliveryId, channel: 'Email', err: cause }, event),
    });
    return endOf(outcome);
  } finally {
    deadline.end();
  }
}
