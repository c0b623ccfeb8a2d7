import type { NotificationType } from '@svc/contract';
import { type CustomHeaders, type CustomHeadersResult, parseCustomHeaders } from './custom-headers.ts';
import { hasSameTarget, maskDestination, parseDestination } from './destination.ts';
import { mask, type Parsed, refused } from './mask.ts';

/** Stored settings of a recipient, decrypted. A part is undefined if it is missing or cannot be decrypted. */
export type StoredRecipient = {
  readonly type: NotificationType;
  readonly destination?: string | undefined;
  readonly customHeaders?: CustomHeaders | undefined;
};

/**
 * Returns the destination to save. An empty text or exactly the masked form keeps the stored destination. A masked
 * token of an issue tracker keeps the stored token while the site is the same. Any other text with a mask is refused,
 * so that no mask is stored.
 */
export function editDestination(
  type: NotificationType,
  entered: string,
  stored: StoredRecipient | undefined,
): Parsed<string> {
  const text = entered.trim();
  const kept = stored?.type === type ? stored.destination : undefined;
  if (text === '' || (kept !== undefined && text === maskDestination(type, kept)))
    return kept === undefined ? refused('Enter the destination.') : { ok: true, value: kept };
  if (!text.includes(mask)) return { ok: true, value: text };
  if (type === 'IssueTracker' && kept !== undefined && text.endsWith(`;${mask}`)) {
    const parsed = parseDestination(type, kept);
    const token = parsed.ok && parsed.value.type === type ? parsed.value.apiToken : undefined;
    const edited = `${text.slice(0, -mask.length)}${token ?? ''}`;
    if (token !== undefined && !edited.slice(0, -token.length).includes(mask))
      return hasSameTarget(type, kept, edited)
        ? { ok: true, value: edited }
        : refused('Enter the API token again: the site has changed.');
  }
  return refused('Enter the destination in full: a masked part cannot be kept.');
}

const headersRefused = (message: string): CustomHeadersResult => ({
  ok: false,
  refusal: 'ValueNotText',
  message,
});

/**
 * Returns the custom headers to save. Undefined keeps the stored headers, null or an empty object removes all, and a
 * masked value keeps the stored value of that header. Stored values stay only while the destination has the same
 * scheme, host and port: a new target must not receive them.
 *
 * @param destination The destination after the save.
 */
export function editCustomHeaders(
  entered: unknown,
  destination: string,
  stored: StoredRecipient | undefined,
  allowedHeaders: readonly string[],
): CustomHeadersResult {
  const isTargetKept =
    stored?.type === 'Webhook' &&
    stored.destination !== undefined &&
    hasSameTarget('Webhook', stored.destination, destination);
  const storedValues = new Map(
    Object.entries(stored?.customHeaders ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  if (entered === undefined && storedValues.size > 0)
    return isTargetKept
      ? { ok: true, headers: stored?.customHeaders ?? {} }
      : headersRefused('Enter the custom headers again: the destination has changed.');
  const parsed = parseCustomHeaders(entered ?? {}, allowedHeaders);
  if (!parsed.ok) return parsed;
  const headers: Array<[string, string]> = [];
  for (const [name, value] of Object.entries(parsed.headers)) {
    if (!value.includes(mask)) {
      headers.push([name, value]);
      continue;
    }
    const kept = value === mask ? storedValues.get(name.toLowerCase()) : undefined;
    if (kept === undefined)
      return headersRefused(`Enter the value of the header ${JSON.stringify(name)} in full.`);
    if (!isTargetKept)
      return headersRefused(
        `Enter the value of the header ${JSON.stringify(name)} again: the destination has changed.`,
      );
    headers.push([name, kept]);
  }
  return { ok: true, headers: Object.fromEntries(headers) };
}

/** Returns the headers with masked values, for administrators. */
export function maskCustomHeaders(headers: CustomHeaders): CustomHeaders {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, mask]));
}
