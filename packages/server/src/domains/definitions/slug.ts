import type { DefinitionKind } from '@svc/contract';

const lengthMax = 80;

/** A slug of a name that is none of those that are taken: `late-orders`, then `late-orders-2`. */
export function slugFrom(name: string, kind: DefinitionKind, taken: ReadonlySet<string>): string {
  const base = plain(name) || plain(kind.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-'));
  if (!taken.has(base)) return base;
  for (let count = 2; ; count += 1) {
    const end = `-${count}`;
    const slug = `${base.slice(0, lengthMax - end.length).replace(/-+$/, '')}${end}`;
    if (!taken.has(slug)) return slug;
  }
}

/** Letters of Europe's names that are no Latin letter with a mark. */
const spelled: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' },
};

/** Letters without their marks, digits, and hyphens for everything else. */
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
