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

/** What attempts are made with. */
export type AttemptDeps = {
  readonly settings: SendSettings;
  readonly rules: DestinationRules;
  readonly keyRing: KeyRing;
  readonly outbound: Pick<Outbound, 'request'>;
  readonly email?: EmailAdapter | undefined;
  readonly log: Pick<Logger, 'warn'>;
  readonly clock?: Clock | undefined;
  /** Default: attempts are not measured. */
  readonly measure?: MeasureAttempt | undefined;
};

/** What one attempt is for. */
export type AttemptContext = {
  readonly deliveryId: string;
  /** The same for every attempt at the same message. */
  readonly messageId: string;
  /** Due time of the run that the message is of; absent for a message of no run. */
  readonly runDueAt?: Date;
  readonly signal: AbortSignal;
};

/** Where a message goes, and how it is shaped and signed. */
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

/** The end of an attempt that sent nothing because it must not. */
export const skipped = (reason: SkipReason): AttemptEnd => ({ ...nothing, state: 'Skipped', reason });

/** The end of an attempt that failed before anything was sent. */
export const failed = (reason: FailureReason): AttemptEnd => ({
  ...nothing,
  state: 'Failed',
  reason,
});

/** Why a definition may not be sent to, or undefined when it may (spec 3 section 5.6). */
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
  // Stopped by the caller with the request on its way: nobody can say what became of it.
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

/** The W3C trace that a delivery is part of, where it is recorded. */
function traceHeaders(): Record<string, string> {
  const traceparent = traceparentHere();
  return traceparent === undefined ? {} : { traceparent };
}

/**
 * The id of a mail, the same for each attempt. Another installation has the same run ids, and a mailbox hides a mail whose
 * id it has seen: a fingerprint under the oldest key tells installations apart.
 */
function mailIdOf(ring: KeyRing, { messageId, runDueAt }: AttemptContext): { mailId?: string } {
  if (!runDueAt) return {};
  const oldest = { ...ring, current: ring.previous.at(-1) ?? ring.current };
  return { mailId: `${messageId}.${fingerprint(oldest, ['mail', messageId, runDueAt.toISOString()])}` };
}

/** Sends a message to a definition that may be sent to: policy, rendering, one attempt through the outbound door. */
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
      // Email has no policy, since the host sends it: nothing may leave through this function then.
      request: policy
        ? createTransport(deps.outbound, policy, {
            deadline,
            correlationId: context.deliveryId,
            clock,
            // Chats and trackers make nothing of a trace: it is for receivers that are somebody's own.
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
 * Sends a message to a recipient as it was read a moment ago: decrypts, checks the approval, and delivers what was
 * checked and nothing else.
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

/** Mails a notice of the service itself to a person: no recipient and no approval, but the rules of email hold. */
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
