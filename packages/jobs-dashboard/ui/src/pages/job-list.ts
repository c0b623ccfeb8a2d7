import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { JobList } from '../../../src/api/jobs.ts';
import { get } from '../lib/api.ts';
import type { Json } from '../lib/json.ts';
import { liveMs } from '../lib/requests.ts';
import type { Item } from './job-columns.tsx';

const pageSize = 50;
/** Pages that a search goes through by itself before it asks: of 10,000 jobs each. */
const windowsMax = 25;

/** Jobs page by page. A search that found too little in one part of the jobs goes on through the next by itself. */
export function useJobList(filter: Readonly<Record<string, string | undefined>>) {
  const [stoppedAt, setStoppedAt] = useState(windowsMax);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search begins anew.
  useEffect(() => setStoppedAt(windowsMax), [filter]);
  const query = useInfiniteQuery({
    queryKey: ['/jobs', filter],
    queryFn: ({ pageParam, signal }) =>
      get<JobList>('/jobs', { ...filter, limit: pageSize, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Json<JobList>) => last.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    // What has been paged through stays as it is: rows must not move under the reader.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= 1 ? liveMs : false),
  });
  const pages = query.data?.pages ?? [];
  const items: readonly Item[] = pages.flatMap((page) => page.items);
  const last = pages.at(-1);
  const isCutShort = last?.isCutShort === true;
  const goesOn = isCutShort && items.length < pageSize && pages.length < stoppedAt && !query.isError;
  const { fetchNextPage, isFetchingNextPage, isPlaceholderData } = query;
  useEffect(() => {
    if (goesOn && !isFetchingNextPage && !isPlaceholderData) void fetchNextPage();
  }, [goesOn, isFetchingNextPage, isPlaceholderData, fetchNextPage]);
  return {
    items,
    error: query.error,
    isLoading: query.isPending,
    isSearching: goesOn,
    isEmpty: !query.isPending && !query.isError && items.length === 0 && !goesOn,
    isCutShort,
    hasMore: query.hasNextPage,
    lookedBackTo: last?.lookedBackTo ?? null,
    more: () => {
      setStoppedAt(pages.length + windowsMax);
      void fetchNextPage();
    },
    stop: () => setStoppedAt(pages.length),
    retry: () => void query.refetch(),
  };
}
