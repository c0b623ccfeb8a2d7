import { isDeepStrictEqual } from 'node:util';

/** The members of an object that are neither undefined nor what they would be without being named, in its order. */
export function shortened<T extends object>(value: T, defaults: Partial<T>): T {
  const isSaid = ([name, member]: [string, unknown]): boolean =>
    member !== undefined && !isDeepStrictEqual(member, (defaults as Record<string, unknown>)[name] ?? null);
  return Object.fromEntries(Object.entries(value).filter(isSaid)) as T;
}

/** Slugs in one order, each once; undefined for none. */
export const sortedSlugs = (slugs: readonly string[] | undefined): string[] | undefined =>
  slugs && slugs.length > 0 ? [...new Set(slugs)].sort() : undefined;

/** Every record of a list that is read by pages. */
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
