import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ProblemView } from '../feedback/problem.tsx';
import { PageSkeleton } from '../feedback/skeleton.tsx';

const useTextParam = (name: string): string | undefined =>
  (useParams({ strict: false }) as Readonly<Record<string, string | undefined>>)[name];

/** Whether the page's path has such a part, whatever it says. */
export const useHasParam = (name: string): boolean => useTextParam(name) !== undefined;

/** The id that the address names, or undefined where it names none. */
export function useIdParam(name = 'id'): number | undefined {
  const text = useTextParam(name) ?? '';
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

type Props<T> = {
  // biome-ignore lint/suspicious/noExplicitAny: the key's type differs from read to read and is not looked at here
  readonly read: UseQueryOptions<T, Error, T, any>;
  readonly children: (record: T) => ReactNode;
};

/** Shows a record when it is there, its outline before that, and why it is not. */
export function Record<T>({ read, children }: Props<T>) {
  const record = useQuery(read);
  if (record.data !== undefined) return children(record.data);
  if (record.isLoadingError)
    return <ProblemView isPage error={record.error} onRetry={() => void record.refetch()} />;
  return <PageSkeleton />;
}
