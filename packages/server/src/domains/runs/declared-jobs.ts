import { defineJob } from '@svc/jobs';

type TickPayload = { readonly subscriptionId: number };
type RunPayload = {
  readonly subscriptionId: number;
  readonly runId: number;
  /** Absent in jobs of earlier versions. */
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
/** Only an unavailable metadata database causes a retry. A failure of a query or a recipient is an outcome. */
const retry = { attemptsMax: 6, delaysMs: [1_000, 5_000, 15_000, 60_000] };
/** Serializes the runs of one subscription, so that each sees the row count of the previous run. */
const oneBySubscription = {
  limit: 1,
  key: (payload: { subscriptionId: number }) => `subscription ${payload.subscriptionId}`,
};

/** Tick of a subscription's schedule. */
export const runTick = defineJob<TickPayload>({
  name: 'run-subscription-tick',
  queue,
  retry,
  concurrency: oneBySubscription,
  parse: (value) => ({ subscriptionId: positiveInteger(value, 'subscriptionId') }),
});

/** Executes an existing run, which a user started or whose quiet hours ended. */
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

/** Ends runs whose job is over without having ended them. */
export const endAbandonedRuns = defineJob<null>({
  name: 'end-abandoned-runs',
  queue: 'maintenance',
  parse: () => null,
});
