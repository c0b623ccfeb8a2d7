/**
 * Text that PostgreSQL can store: it takes neither U+0000 nor half of a surrogate pair, in `text` and in `jsonb`
 * alike. What people send is refused by it; what other systems say is mended by it, so that nothing fails for it.
 */

const nul = '\0';
const replacement = '\ufffd';

/** Whether a text can be stored as it is. */
export const isStorable = (text: string): boolean => !text.includes(nul) && text.isWellFormed();

/** The text with U+FFFD in place of every character that cannot be stored; the same text when there is none. */
export const toStorable = (text: string): string =>
  isStorable(text) ? text : text.replaceAll(nul, replacement).toWellFormed();

/**
 * Where a value holds text that cannot be stored, in its names and its values.
 *
 * @returns a JSON pointer, empty for the value itself; undefined where there is none.
 */
export function findUnstorable(value: unknown): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : '';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const below = isStorable(name) ? findUnstorable(member) : '';
    if (below !== undefined) return `/${pointerOf(name)}${below}`;
  }
  return undefined;
}

const pointerOf = (name: string): string => toStorable(name).replaceAll('~', '~0').replaceAll('/', '~1');
