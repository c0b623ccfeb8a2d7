import { defineJob } from '@svc/jobs';

type TickPayload = { readonly subscriptionId: number };
type RunPayload = {
  readonly subscriptionId: number;
  readonly runId: number;
  /** Absent in jobs of a version that did not name it. */
  readonly runDueAt?: Date | undefined;
};

function positiveInteger(value: unknown, name: string): number {
  const member =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  if (typeof member !== 'number' || !Number.isSafeInteger(member) || member < 1)
    throw new TypeError(`${name} must be a positive integer.`);
  return member;
}

function optionalTime(value: unknown, name: string): Date | undefined {
  const { [name]: member } = Object(value) as Record<string, unknown>;
  if (member === undefined) return undefined;
  const time = new Date(String(member));
  if (Number.isNaN(time.getTime())) throw new TypeError(`${name} must be a time.`);
  return time;
}

const queue = 'runs';
/** Tried again only when the metadata database was away: what a query or a recipient does is an outcome. */
const retry = { attemptsMax: 6, delaysMs: [1_000, 5_000, 15_000, 60_000] };
/** Runs of one subscription take turns, so that each sees the row count of the one before. */
const oneBySubscription = {
  limit: 1,
  key: (payload: { subscriptionId: number }) => `subscription ${payload.subscriptionId}`,
};

/** A tick of a subscription's schedule. */
export const runTick = defineJob<TickPayload>({
  name: 'run-subscription-tick',
  queue,
  retry,
  concurrency: oneBySubscription,
  parse: (value) => ({ subscriptionId: positiveInteger(value, 'subscriptionId') }),
});

/** A run that somebody started. */
export const executeRun = defineJob<RunPayload>({
  name: 'run-subscription-now',
  queue,
  retry,
  priority: 10,
  concurrency: oneBySubscription,
  parse: (value) => ({
    subscriptionId: positiveInteger(value, 'subscriptionId'),
    runId: positiveInteger(value, 'runId'),
    runDueAt: optionalTime(value, 'runDueAt'),
  }),
});

/** Closes runs whose job is over but which were never ended. */
export const endAbandonedRuns = defineJob<null>({
  name: 'end-abandoned-runs',
  queue: 'maintenance',
  parse: () => null,
});
