import type { IncomingMessage } from 'node:http';
import { badRequest, type Refusal } from '../refusals/refusal.ts';

/** Headers that identify the caller and the target host. */
const single: ReadonlySet<string> = new Set(['authorization', 'host']);
const lengths: ReadonlySet<number> = new Set([...single].map(({ length }) => length));

/**
 * Refuses repeated headers of this kind; undefined if each occurs at most once. Node uses the first, but a proxy
 * may have checked the last, so that the checked and the used value could differ.
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
