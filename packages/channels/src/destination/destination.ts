import type { NotificationType } from '@svc/contract';
import {
  type EmailDestination,
  maskEmailAddress,
  parseEmailAddress,
  reviewEmailAddress,
} from '../email/address.ts';
import {
  type IssueTrackerDestination,
  maskIssueTracker,
  parseIssueTrackerDestination,
  reviewIssueTracker,
} from '../issue-tracker/destination.ts';
import { mask, type Parsed, type ReviewPart, refused } from './mask.ts';
import {
  maskUrl,
  parseUrlDestination,
  reviewVendorUrl,
  reviewWebhookUrl,
  type UrlDestination,
} from './url-destination.ts';

/** A parsed destination. It contains the secret: never log or return it. */
export type Destination =
  | ({ readonly type: 'Email' } & EmailDestination)
  | ({ readonly type: 'ChatBlocks' | 'ChatCards' | 'Webhook' } & UrlDestination)
  | ({ readonly type: 'IssueTracker' } & IssueTrackerDestination);

const withType = <T extends NotificationType, V>(type: T, parsed: Parsed<V>) =>
  parsed.ok ? { ok: true as const, value: { type, ...parsed.value } } : parsed;

/**
 * Parses the text of a destination (spec 3 section 2.1). Checks only the form. The outbound gateway checks hosts and
 * addresses, under the policy of the type.
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

/** Returns the URL that a delivery connects to; undefined for email, which the host sends. */
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

/**
 * Returns a stored destination for administrators, with its secret masked. A text that cannot be parsed is hidden
 * entirely.
 */
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
 * Returns the parts of a destination for a reviewer of a change (spec 3 section 5.5). Different destinations can have
 * equal parts; only the fingerprint of the whole definition distinguishes them.
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

/**
 * Returns true if two destinations of a type have the same scheme, host and port, so that stored secrets may be sent to
 * both.
 */
export function hasSameTarget(type: NotificationType, left: string, right: string): boolean {
  const originOf = (text: string) => {
    const parsed = parseDestination(type, text);
    const url = parsed.ok ? connectionUrlOf(parsed.value) : undefined;
    return url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined;
  };
  const origin = originOf(left);
  return origin !== undefined && origin === originOf(right);
}
