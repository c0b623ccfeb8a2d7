import { getNotification, type NotificationDetail } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

const pollMs = 1_000;

const isFinished = (run: NotificationDetail | undefined): boolean =>
  run !== undefined && run.finishedAt !== null;

/** One run; asked for again each second until it is over. */
export const notification = (id: number) =>
  queryOptions({
    ...read(getNotification, { params: { id } }),
    refetchInterval: (query) =>
      isFinished(query.state.data as NotificationDetail | undefined) ? false : pollMs,
  });
