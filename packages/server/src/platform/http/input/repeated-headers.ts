import type { IncomingMessage } from 'node:http';
import { badRequest, type Refusal } from '../refusals/refusal.ts';

/** Headers that say who calls and which host is meant. */
const single: ReadonlySet<string> = new Set(['authorization', 'host']);
const lengths: ReadonlySet<number> = new Set([...single].map(({ length }) => length));

/**
 * Of two such headers Node keeps the first; a proxy on the way may have judged the last. Two of them are refused, so
 * that nobody passes with a header that another party did not look at. Undefined when each comes once at most.
 */
export function refuseRepeatedHeaders({
  rawHeaders,
}: Pick<IncomingMessage, 'rawHeaders'>): Refusal | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index];
    if (raw === undefined || !lengths.has(raw.length)) continue;
    const name = raw.toLowerCase();
    if (!single.has(name)) continue;
    if (seen.has(name))
      return badRequest('repeated-header', `The request carries more than one ${raw} header.`);
    seen.add(name);
  }
  return undefined;
}
