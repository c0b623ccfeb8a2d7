import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ProblemView } from '../feedback/problem.tsx';
import { PageSkeleton } from '../feedback/skeleton.tsx';

const useTextParam = (name: string): string | undefined =>
  (useParams({ strict: false }) as Readonly<Record<string, string | undefined>>)[name];

/** Returns true if the path of the page has the parameter, with any value. */
export const useHasParam = (name: string): boolean => useTextParam(name) !== undefined;

/** Returns the id in the address. Undefined without a valid id. */
export function useIdParam(name = 'id'): number | undefined {
  const text = useTextParam(name) ?? '';
  return /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
}

type Props<T> = {
  // biome-ignore lint/suspicious/noExplicitAny: the key's type differs from read to read and is not looked at here
  readonly read: UseQueryOptions<T, Error, T, any>;
  readonly children: (record: T) => ReactNode;
};

/** Loads a record: shows a placeholder until then, and the problem after a failure. */
export function Record<T>({ read, children }: Props<T>) {
  const record = useQuery(read);
  if (record.data !== undefined) return children(record.data);
  if (record.isLoadingError)
    return <ProblemView isPage error={record.error} onRetry={() => void record.refetch()} />;
  return <PageSkeleton />;
}
