import {
  type EmailDestination,
  maskEmailAddress,
  parseEmailAddress,
  reviewEmailAddress,
} from './email/address.ts';
import {
  type IssueTrackerDestination,
  maskIssueTracker,
  parseIssueTrackerDestination,
  reviewIssueTracker,
} from './issue-tracker/destination.ts';
import { mask, type Parsed, type ReviewPart, refused } from './mask.ts';
import type { NotificationType } from './notification-type.ts';
import {
  maskUrl,
  parseUrlDestination,
  reviewVendorUrl,
  reviewWebhookUrl,
  type UrlDestination,
} from './url-destination.ts';

/** A destination in the form of its type. It holds the secret: never log or return it. */
export type Destination =
  | ({ readonly type: 'Email' } & EmailDestination)
  | ({ readonly type: 'ChatBlocks' | 'ChatCards' | 'Webhook' } & UrlDestination)
  | ({ readonly type: 'IssueTracker' } & IssueTrackerDestination);

const withType = <T extends NotificationType, V>(type: T, parsed: Parsed<V>) =>
  parsed.ok ? { ok: true as const, value: { type, ...parsed.value } } : parsed;

/**
 * Parses the text of a destination (spec 3 section 2.1). It checks the form; hosts and addresses are the outbound
 * door's matter, under the policy of the type.
 */
export function parseDestination(type: NotificationType, text: string): Parsed<Destination> {
  const trimmed = text.trim();
  if (trimmed === '') return refused('The destination is missing.');
  switch (type) {
    case 'Email':
      return withType(type, parseEmailAddress(trimmed));
    case 'IssueTracker':
      return withType(type, parseIssueTrackerDestination(trimmed));
    case 'ChatBlocks':
    case 'ChatCards':
    case 'Webhook':
      return withType(type, parseUrlDestination(trimmed));
  }
}

/** The URL that a delivery to a destination connects to; undefined for email, which the host sends. */
export function connectionUrlOf(destination: Destination): string | undefined {
  switch (destination.type) {
    case 'Email':
      return undefined;
    case 'IssueTracker':
      return destination.baseUrl;
    case 'ChatBlocks':
    case 'ChatCards':
    case 'Webhook':
      return destination.url;
  }
}

/** A stored destination as administrators see it. A text that cannot be parsed is hidden entirely. */
export function maskDestination(type: NotificationType, text: string): string {
  const parsed = parseDestination(type, text);
  if (!parsed.ok) return mask;
  const destination = parsed.value;
  switch (destination.type) {
    case 'Email':
      return maskEmailAddress(destination);
    case 'IssueTracker':
      return maskIssueTracker(destination);
    case 'ChatBlocks':
    case 'ChatCards':
    case 'Webhook':
      return maskUrl(destination);
  }
}

/**
 * The parts of a destination that a reviewer of a change sees (spec 3 section 5.5). Two destinations may have the
 * same parts and differ; the fingerprint of the whole definition tells.
 */
export function reviewParts(type: NotificationType, text: string): ReviewPart[] {
  const parsed = parseDestination(type, text);
  if (!parsed.ok) return [{ label: 'Destination', value: mask }];
  const destination = parsed.value;
  switch (destination.type) {
    case 'Email':
      return reviewEmailAddress(destination);
    case 'IssueTracker':
      return reviewIssueTracker(destination);
    case 'Webhook':
      return reviewWebhookUrl(destination);
    case 'ChatBlocks':
    case 'ChatCards':
      return reviewVendorUrl(destination);
  }
}

/** Whether two destinations of a type go to the same scheme, host and port: where a kept secret would be sent. */
export function hasSameTarget(type: NotificationType, left: string, right: string): boolean {
  const originOf = (text: string) => {
    const parsed = parseDestination(type, text);
    const url = parsed.ok ? connectionUrlOf(parsed.value) : undefined;
    return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
  };
  const origin = originOf(left);
  return origin !== undefined && origin === originOf(right);
}
