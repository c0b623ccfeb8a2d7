import { getDataSource, getProject, getQuery, getSubscription } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/call.ts';
import { paths } from '../../lib/paths.ts';
import { readPreference, savePreference } from '../../ui/frame/preference.ts';
import type { NamedRecord } from './named-records.ts';

const preference = 'recent';
const storedMax = 6;

type Kind = {
  readonly pattern: RegExp;
  readonly find: (id: number, signal: AbortSignal) => Promise<Omit<NamedRecord, 'id' | 'group'>>;
};

const kinds: readonly Kind[] = [
  {
    pattern: /^\/queries\/(\d{1,10})(\/edit)?$/,
    find: async (id, signal) => {
      const { name, projectName } = await call(getQuery, { params: { id } }, { signal });
      return { label: name, hint: projectName, icon: 'query', to: paths.query(id) };
    },
  },
  {
    pattern: /^\/subscriptions\/(\d{1,10})$/,
    find: async (id, signal) => {
      const { queryName, schedule } = await call(getSubscription, { params: { id } }, { signal });
      return {
        label: queryName,
        hint: schedule.description,
        icon: 'subscription',
        to: paths.subscription(id),
      };
    },
  },
  {
    pattern: /^\/projects\/(\d{1,10})$/,
    find: async (id, signal) => {
      const { name } = await call(getProject, { params: { id } }, { signal });
      return { label: name, hint: 'Project', icon: 'project', to: paths.project(id) };
    },
  },
  {
    pattern: /^\/data-sources\/(\d{1,10})$/,
    find: async (id, signal) => {
      const { name, engine } = await call(getDataSource, { params: { id } }, { signal });
      return { label: name, hint: engine, icon: 'source', to: paths.dataSource(id) };
    },
  },
];

const isRecord = (path: string): boolean => kinds.some(({ pattern }) => pattern.test(path));

/**
 * Returns the paths of recently viewed records, newest first. Names are not stored, so that each read uses the present
 * rights.
 */
export function recentPaths(): readonly string[] {
  const stored = readPreference(preference)?.split(' ') ?? [];
  return stored.filter(isRecord).slice(0, storedMax);
}

/** Stores the path of a record that the user viewed. Ignores other paths. */
export function noteVisit(pathname: string): void {
  const path = pathname.replace(/\/edit$/, '');
  if (!isRecord(path)) return;
  const others = recentPaths().filter((each) => each !== path);
  savePreference(preference, [path, ...others].slice(0, storedMax).join(' '));
}

/**
 * Records that the user viewed last, without the present page. Omits records that no longer exist or that the user may
 * not read.
 */
export const recentRecords = (present: string, canRead: boolean) =>
  queryOptions({
    queryKey: ['palette', 'recent', recentPaths(), present],
    enabled: canRead,
    queryFn: async ({ signal }): Promise<readonly NamedRecord[]> => {
      const others = recentPaths().filter((path) => path !== present);
      const results = await Promise.allSettled(others.map((path) => find(path, signal)));
      return results.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []));
    },
  });

async function find(path: string, signal: AbortSignal): Promise<NamedRecord | undefined> {
  for (const { pattern, find: read } of kinds) {
    const id = pattern.exec(path)?.[1];
    if (id !== undefined)
      return { id: `recent ${path}`, group: 'Recent', ...(await read(Number(id), signal)) };
  }
  return undefined;
}
