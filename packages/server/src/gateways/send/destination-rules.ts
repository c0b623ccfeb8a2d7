import {
  builtInHosts,
  type CustomHeaders,
  connectionUrlOf,
  type Destination,
  isDomainAllowed,
  type NotificationType,
  parseCustomHeaders,
  parseDestination,
  reviewTemplate,
} from '@svc/channels';
import {
  deliveryPolicy,
  type Outbound,
  type OutboundPolicy,
  parseHostPattern,
} from '../../platform/outbound/index.ts';
import type { RecipientDefinition } from './definition.ts';
import type { SendSettings } from './settings.ts';

/** Recipient to be saved, with secrets in plain text. */
export type RecipientDraft = RecipientDefinition & { readonly bodyTemplate?: string | undefined };

/** Field of the API that a refusal refers to. */
export type DraftField = 'notificationType' | 'destination' | 'customHeaders' | 'bodyTemplate';

/** Result of the check on save. Messages name the reason and never repeat a secret. */
export type DraftCheck =
  | {
      readonly ok: true;
      /** Warnings that do not prevent the save. */
      readonly warnings: readonly { readonly field: DraftField; readonly message: string }[];
    }
  | { readonly ok: false; readonly field: DraftField; readonly message: string };

/** Rules of destinations, shared by save, preview and send. */
export type DestinationRules = {
  /** Returns the outbound policy of a channel. Undefined for email, which the host sends. */
  readonly policyOf: (type: NotificationType) => OutboundPolicy | undefined;
  /** Returns true if the settings disable a channel. */
  readonly isDisabled: (type: NotificationType) => boolean;
  /** Checks a parsed destination against the text rules, without name resolution. For email: its domain. */
  readonly isAllowed: (destination: Destination) => boolean;
  /** Checks custom headers against the current settings. */
  readonly areHeadersAllowed: (headers: CustomHeaders) => boolean;
  /** Checks a recipient when it is saved (spec 3 sections 5.4 and 7). */
  readonly checkDraft: (draft: RecipientDraft) => Promise<DraftCheck>;
};

const refuse = (field: DraftField, message: string): DraftCheck => ({ ok: false, field, message });

/** Channels whose message body a template can replace. */
const typesWithTemplate: ReadonlySet<NotificationType> = new Set(['Webhook', 'ChatBlocks', 'ChatCards']);

/**
 * Creates the rules.
 *
 * @throws RangeError with the name of the setting that contains an invalid host or network.
 */
export function createDestinationRules(
  settings: SendSettings,
  outbound: Pick<Outbound, 'checkDestination'>,
  options: { readonly hasEmailAdapter: boolean },
): DestinationRules {
  const policyFor = (type: Exclude<NotificationType, 'Email'>) =>
    deliveryPolicy(type, settings, builtInHosts[type]);
  const policies: Readonly<Record<NotificationType, OutboundPolicy | undefined>> = {
    ChatBlocks: policyFor('ChatBlocks'),
    ChatCards: policyFor('ChatCards'),
    IssueTracker: policyFor('IssueTracker'),
    Webhook: policyFor('Webhook'),
    Email: undefined,
  };
  const emailDomains = settings.allowedHosts.Email.map(parseHostPattern);

  const isAllowed = (destination: Destination) =>
    destination.type !== 'Email' || isDomainAllowed(destination.domain, emailDomains);

  async function checkDestination(type: NotificationType, text: string): Promise<DraftCheck> {
    const parsed = parseDestination(type, text);
    if (!parsed.ok) return refuse('destination', parsed.message);
    if (!isAllowed(parsed.value))
      return refuse('destination', 'The domain is not among those that email may be sent to.');
    const url = connectionUrlOf(parsed.value);
    const policy = policies[type];
    if (url === undefined || !policy) return { ok: true, warnings: [] };
    const check = await outbound.checkDestination(url, policy);
    if (!check.ok) return refuse('destination', check.message);
    const message = 'The host could not be resolved now; it is resolved and checked again at each delivery.';
    return {
      ok: true,
      warnings: check.isResolved || policy.useProxy ? [] : [{ field: 'destination', message }],
    };
  }

  function checkHeaders(draft: RecipientDraft): DraftCheck {
    if (Object.keys(draft.customHeaders).length === 0) return { ok: true, warnings: [] };
    if (draft.type !== 'Webhook') return refuse('customHeaders', 'Only webhooks have custom headers.');
    const parsed = parseCustomHeaders(draft.customHeaders, settings.allowedHeaders);
    return parsed.ok ? { ok: true, warnings: [] } : refuse('customHeaders', parsed.message);
  }

  function checkTemplate({ type, bodyTemplate }: RecipientDraft): DraftCheck {
    if (bodyTemplate === undefined || bodyTemplate === '') return { ok: true, warnings: [] };
    if (!typesWithTemplate.has(type))
      return refuse('bodyTemplate', 'Only webhooks and chats have a body template.');
    const { refusal, unknownPlaceholders } = reviewTemplate(bodyTemplate);
    if (refusal !== undefined) return refuse('bodyTemplate', refusal);
    const message = `Unknown placeholders: ${unknownPlaceholders.join(', ')}.`;
    return {
      ok: true,
      warnings: unknownPlaceholders.length === 0 ? [] : [{ field: 'bodyTemplate', message }],
    };
  }

  return {
    policyOf: (type) => policies[type],
    isDisabled: (type) => settings.disabledTypes.has(type),
    isAllowed,
    areHeadersAllowed: (headers) => parseCustomHeaders(headers, settings.allowedHeaders).ok,
    checkDraft: async (draft) => {
      if (settings.disabledTypes.has(draft.type))
        return refuse('notificationType', 'The channel is turned off.');
      if (draft.type === 'Email' && !options.hasEmailAdapter)
        return refuse('notificationType', 'The host has registered no email adapter.');
      const checks = [
        checkHeaders(draft),
        checkTemplate(draft),
        await checkDestination(draft.type, draft.destination),
      ];
      const refused = checks.find((check) => !check.ok);
      return refused ?? { ok: true, warnings: checks.flatMap((check) => (check.ok ? check.warnings : [])) };
    },
  };
}
