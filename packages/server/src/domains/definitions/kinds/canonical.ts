import { isDeepStrictEqual } from 'node:util';

/** Removes undefined members and members that equal their default. Retains the order. */
export function shortened<T extends object>(value: T, defaults: Partial<T>): T {
  const differs = ([name, member]: [string, unknown]): boolean =>
    member !== undefined && !isDeepStrictEqual(member, (defaults as Record<string, unknown>)[name] ?? null);
  return Object.fromEntries(Object.entries(value).filter(differs)) as T;
}

/** Sorts slugs and removes duplicates; undefined for an empty list. */
export const sortedSlugs = (slugs: readonly string[] | undefined): string[] | undefined =>
  slugs && slugs.length > 0 ? [...new Set(slugs)].sort() : undefined;

/** Reads all pages of a list. */
export async function everyPage<T>(
  read: (page: { page: string; pageSize: string }) => Promise<{ items: readonly T[]; pageCount: number }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let page = 0; ; page += 1) {
    const { items, pageCount } = await read({ page: String(page), pageSize: '200' });
    all.push(...items);
    if (page + 1 >= pageCount) return all;
  }
}
