import { getNotification, type NotificationDetail } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../lib/server-state.ts';

const pollMs = 1_000;
const waitingPollMs = 5_000;

/** How soon a run is looked at again: until it is over, and while an ordered attempt is open. */
const pollOf = (run: NotificationDetail | undefined): number | false => {
  if (run === undefined || run.finishedAt === null) return pollMs;
  const states = new Set(run.deliveries.map(({ state }) => state));
  if (states.has('Sending')) return pollMs;
  return states.has('Queued') ? waitingPollMs : false;
};

/** One run; asked for again until nothing of it is under way. */
export const notification = (id: number) =>
  queryOptions({
    ...read(getNotification, { params: { id } }),
    refetchInterval: (query) => pollOf(query.state.data as NotificationDetail | undefined),
  });
