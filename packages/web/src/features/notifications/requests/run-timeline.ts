import { getRunTimeline, type RunTimeline } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

const pollMs = 1_000;

/** Timeline of a run. It polls until the run has ended. */
export const runTimeline = (id: number) =>
  queryOptions({
    ...read(getRunTimeline, { params: { id } }),
    refetchInterval: (query) =>
      (query.state.data as RunTimeline | undefined)?.finishedAt === null ? pollMs : false,
  });
