import type { DefinitionKind } from '@svc/contract';

const lengthMax = 80;

/** Returns a slug for a name that is not in `taken`: `late-orders`, then `late-orders-2`. */
export function slugFrom(name: string, kind: DefinitionKind, taken: ReadonlySet<string>): string {
  const base = plain(name) || plain(kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-'));
  if (!taken.has(base)) return base;
  for (let count = 2; ; count += 1) {
    const end = `-${count}`;
    const slug = `${base.slice(0, lengthMax - end.length).replace(/-+$/, '')}${end}`;
    if (!taken.has(slug)) return slug;
  }
}

/** European letters that have no decomposition into a Latin letter and a mark. */
const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

/** Removes marks from letters and replaces all characters other than letters and digits by hyphens. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => spelled[letter] ?? letter)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, lengthMax)
    .replace(/-+$/, '');
