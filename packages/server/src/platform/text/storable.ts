/**
 * Text that PostgreSQL can store: neither `text` nor `jsonb` accepts U+0000 or an unpaired surrogate. User input
 * with such characters is refused. Text from other systems is repaired, so that no operation fails because of it.
 */

const nul = '\0';
const replacement = '\ufffd';

/** Returns true if a text can be stored unchanged. */
export const isStorable = (text: string): boolean => !text.includes(nul) && text.isWellFormed();

/** Replaces every character that cannot be stored by U+FFFD. Returns the same text if there is none. */
export const toStorable = (text: string): string =>
  isStorable(text) ? text : text.replaceAll(nul, replacement).toWellFormed();

/**
 * Finds text that cannot be stored in the names and values of a value.
 *
 * @returns a JSON pointer, empty for the value itself; undefined if all text can be stored.
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
