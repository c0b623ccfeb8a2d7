import { getNotification, type NotificationDetail } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

const pollMs = 1_000;
const waitingPollMs = 5_000;

/** Returns the poll interval of a run: until it has ended, and while a requested attempt is pending. */
const pollOf = (run: NotificationDetail | undefined): number | false => {
  if (run === undefined || run.finishedAt === null) return pollMs;
  const states = new Set(run.deliveries.map(({ state }) => state));
  if (states.has('Sending')) return pollMs;
  return states.has('Queued') ? waitingPollMs : false;
};

/** One run. It polls until the run and its requested attempts have ended. */
export const notification = (id: number) =>
  queryOptions({
    ...read(getNotification, { params: { id } }),
    refetchInterval: (query) => pollOf(query.state.data as NotificationDetail | undefined),
  });
