/** Parameters of the job list, parsed from the search field. */
export type Search = Readonly<
  Partial<
    Record<'id' | 'name' | 'tag' | 'argument' | 'value' | 'queue' | 'createdFrom' | 'createdUntil', string>
  >
>;

/** Parsed search: its parameters, and messages about its invalid parts. */
export type ReadSearch = { readonly search: Search; readonly mistakes: readonly string[] };

/** Search prefixes with a value, and their explanations. */
export const searchWords = [
  ['tag:', 'a tag; tag:region:eu for one with a value'],
  ['queue:', 'the queue'],
  ['id:', 'the first digits of the id'],
  ['name:', 'part of the name'],
  ['since:', 'created in the last 30m, 2h, 7d, or since 2026-03-01'],
  ['before:', 'created before that'],
] as const;

const prefixes = searchWords.map(([word]) => word.slice(0, -1));
const idPattern = /^[0-9a-f]{8}(-[0-9a-f-]{0,27})?$/i;
const idStart = /^[0-9a-f-]{4,36}$/i;

/**
 * Parses the search field. Plain words are part of a name or an id. `tag:vip`, `queue:mail`, `id:0192`, `name:ship`,
 * `since:2h`, `before:2026-03-01` and `order.id=42` are explicit. Invalid parts are omitted and reported.
 */
export function readSearch(text: string, nowMs: number): ReadSearch {
  const search: Record<string, string> = {};
  const plain: string[] = [];
  const mistakes: string[] = [];
  for (const word of text.trim().split(/\s+/).filter(Boolean)) {
    const part = readWord(word, nowMs);
    if (part === undefined) plain.push(word);
    else if (typeof part === 'string') mistakes.push(part);
    else {
      const twice = Object.keys(part).find((name) => search[name] !== undefined);
      if (twice !== undefined)
        mistakes.push(`${word} stands beside another of its kind: only one is asked for.`);
      else Object.assign(search, part);
    }
    if (part === undefined) mistakes.push(...meant(word));
  }
  const name = plain.join(' ');
  if (name !== '') search[idPattern.test(name) ? 'id' : 'name'] ??= name;
  return { search, mistakes };
}

/** Returns the parameters of a word; a message when it is invalid; undefined when it is part of a name. */
function readWord(word: string, nowMs: number): Search | string | undefined {
  const [, name = '', rest = ''] = /^([a-z]+):(.*)$/i.exec(word) ?? [];
  const key = name.toLowerCase();
  if (prefixes.includes(key)) {
    if (rest === '') return `${word} needs a value behind the colon.`;
    return partOf(key, rest, nowMs) ?? wrongValue(key, rest);
  }
  const at = word.indexOf('=');
  if (at === 0) return `${word} names no member of the payload: write order.id=42.`;
  if (at < 0) return undefined;
  const argument = word.slice(0, at);
  if (argument.split('.').includes('')) return `${argument} has an empty name between its dots.`;
  const value = word.slice(at + 1).replace(/^"(.*)"$/, '$1');
  return value === '' ? { argument } : { argument, value };
}

function partOf(key: string, rest: string, nowMs: number): Search | undefined {
  const at = key === 'since' || key === 'before' ? timeOf(rest, nowMs) : undefined;
  if (key === 'since') return at === undefined ? undefined : { createdFrom: at };
  if (key === 'before') return at === undefined ? undefined : { createdUntil: at };
  if (key === 'id' && !idStart.test(rest)) return undefined;
  return { [key]: rest };
}

const wrongValue = (key: string, rest: string): string =>
  key === 'id'
    ? `${rest} is no beginning of an id: at least 4 hexadecimal digits.`
    : `${rest} is no time: write 30m, 2h, 7d or 2026-03-01.`;

/** Returns a suggestion for a word with a colon that resembles a search prefix. The word is searched in names. */
function meant(word: string): readonly string[] {
  const [, name = ''] = /^([a-z]+):/i.exec(word) ?? [];
  const near =
    name === '' ? undefined : prefixes.find((each) => distance(name.toLowerCase(), each) <= nearMax);
  return near === undefined
    ? []
    : [`${name}: is no word of the search, so it is looked for in names. Did you mean ${near}:?`];
}

const nearMax = 2;

/** Returns the edit distance of two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `30m`, `2h`, `7d` before now, or a date. */
function timeOf(text: string, nowMs: number): string | undefined {
  const [, count, unit] = /^(\d{1,5})([mhd])$/i.exec(text) ?? [];
  const unitMs = units[unit?.toLowerCase() ?? ''];
  if (count !== undefined && unitMs !== undefined)
    return new Date(nowMs - Number(count) * unitMs).toISOString();
  const isDate = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/i.test(text);
  return isDate && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** Suggestion for the word that the user types. */
export type Suggestion = { readonly word: string; readonly hint: string };

const spans = [
  ['30m', '30 minutes'],
  ['2h', '2 hours'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
] as const;
const offeredMax = 8;

/** Returns completions of the last word of the text. */
export function suggestionsFor(text: string, queues: readonly string[]): readonly Suggestion[] {
  const word = /\S*$/.exec(text)?.[0] ?? '';
  if (word === '') return [];
  const [, name = '', rest = ''] = /^([a-z]+):(.*)$/i.exec(word) ?? [];
  const key = name.toLowerCase();
  const of = (all: readonly Suggestion[]) =>
    all
      .filter((each) => each.word.toLowerCase().startsWith(word.toLowerCase()) && each.word !== word)
      .slice(0, offeredMax);
  if (key === 'queue') return of(queues.map((queue) => ({ word: `queue:${queue}`, hint: 'Queue' })));
  if (key === 'since' || key === 'before') {
    const begins = spans.filter(([span]) => span.startsWith(rest.toLowerCase()));
    const begin = key === 'since' ? 'Created in the last' : 'Created before the last';
    return of(begins.map(([span, spanText]) => ({ word: `${key}:${span}`, hint: `${begin} ${spanText}` })));
  }
  return key === '' ? of(searchWords.map(([each, hint]) => ({ word: each, hint }))) : [];
}

/** Returns the text with its last word replaced by the suggestion. A complete word is followed by a space. */
export const completed = (text: string, { word }: Suggestion): string =>
  `${text.replace(/\S*$/, '')}${word}${word.endsWith(':') ? '' : ' '}`;
