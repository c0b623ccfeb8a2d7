import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { JobList } from '../../../../src/api/jobs.ts';
import { get } from '../../lib/api.ts';
import type { Json } from '../../lib/json.ts';
import { liveMs } from '../../lib/requests.ts';
import type { Item } from './job-columns.tsx';

const pageSize = 50;
/** Maximum number of windows, of up to 10,000 jobs each, that a search reads before it waits for the user. */
const windowsMax = 25;

/** Loads jobs page by page. A search with too few matches in one window continues with the next window automatically. */
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
    // Loaded pages do not change: rows must not move while the user reads them.
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
