/** What the one search field means, as parameters of the list. */
export type Search = Readonly<
  Partial<
    Record<'id' | 'name' | 'tag' | 'argument' | 'value' | 'queue' | 'createdFrom' | 'createdUntil', string>
  >
>;

const idPattern = /^[0-9a-f]{8}(-[0-9a-f-]{0,27})?$/i;

/**
 * Reads the search field: words alone are part of a name or an id; `tag:vip`, `queue:mail`, `id:0192`, `name:ship`,
 * `since:2h`, `before:2026-03-01` and `order.id=42` say what they mean.
 */
export function parseSearch(text: string, nowMs: number): Search {
  const found: Record<string, string> = {};
  const words: string[] = [];
  for (const word of text.trim().split(/\s+/).filter(Boolean)) {
    const [, name, rest] = /^(tag|queue|id|name|since|before):(.+)$/i.exec(word) ?? [];
    if (name !== undefined && rest !== undefined) {
      const key = name.toLowerCase();
      if (key === 'since') found['createdFrom'] = timeOf(rest, nowMs);
      else if (key === 'before') found['createdUntil'] = timeOf(rest, nowMs);
      else found[key] = rest;
      continue;
    }
    const at = word.indexOf('=');
    if (at > 0) {
      found['argument'] = word.slice(0, at);
      if (at < word.length - 1) found['value'] = word.slice(at + 1).replace(/^"(.*)"$/, '$1');
    } else words.push(word);
  }
  const plain = words.join(' ');
  if (plain !== '') found[idPattern.test(plain) ? 'id' : 'name'] = plain;
  return found;
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30m`, `2h`, `7d` before now, or a date. */
function timeOf(text: string, nowMs: number): string {
  const [, count, unit] = /^(\d{1,5})([mhd])$/i.exec(text) ?? [];
  const unitMs = units[unit?.toLowerCase() ?? ''];
  return count !== undefined && unitMs !== undefined
    ? new Date(nowMs - Number(count) * unitMs).toISOString()
    : text;
}
