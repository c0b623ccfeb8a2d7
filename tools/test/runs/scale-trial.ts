import { setTimeout as delay } from 'node:timers/promises';
import { parseSchedule } from '@svc/jobs';
import type { RunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { startWorker, type WorkerProcess } from './start-worker.ts';
import { workerValues } from './worker-values.ts';

export type ScaleTrialOptions = {
  readonly subscriptions: number;
  /** Interval of each subscription in seconds. Due times are spread evenly. */
  readonly everySeconds: number;
  /** Minimum duration and minimum number of kills. A busy machine takes longer for the kills. */
  readonly seconds: number;
  readonly killsMin: number;
  readonly replicas: number;
  /** Interval in seconds at which one process is killed and restarted. */
  readonly killEverySeconds: number;
  /** Every n-th subscription notifies a recipient; the rest return no rows. */
  readonly tellsEvery: number;
  readonly onProgress?: (line: string) => void;
};

/** Result of a scale trial. Some members must be 0, as noted. */
export type ScaleTrialReport = {
  readonly subscriptions: number;
  readonly kills: number;
  /** Due times in the measured window, computed from the schedules. */
  readonly due: number;
  /** Due times without a run, without those in `passedOver`. Must be 0. */
  readonly missed: number;
  /**
   * Due times without a running process, counted by the next tick: a schedule that is more than 10 s late fires once. 0
   * on a machine with enough processor time.
   */
  readonly passedOver: number;
  /** Runs beyond the first of a due time. Must be 0. */
  readonly doubled: number;
  /** Runs at times that were not due. Must be 0. */
  readonly unexpected: number;
  /** Runs that have not ended when all other work has. Must be 0. */
  readonly unended: number;
  /** Runs that ended with an unexpected status or number of messages. Must be 0. */
  readonly wrong: number;
  /** Number of such runs by status, reason and arrived messages. */
  readonly wrongEnds: Readonly<Record<string, number>>;
  /** Runs whose message arrived more than once. Must be 0. */
  readonly toldTwice: number;
  /** Runs whose message a kill interrupted. It may have arrived, and is not sent again. */
  readonly unknown: number;
  /** Missed runs that the service's watchdog recorded. Must be 0. */
  readonly recordedMissed: number;
  /** Time in ms from the due time to the start, and to the end, of a run. */
  readonly startMs: Spread;
  readonly endMs: Spread;
  readonly runsPerSecond: number;
};

type Spread = { readonly median: number; readonly p99: number; readonly max: number };

const leaseMs = 5_000;
const settleMsMax = 120_000;
const drainMsMax = 240_000;
const startTriesMax = 5;
const madeAtOnce = 8;
/** Maximum number of due times of one subscription. */
const dueTimesMax = 500;
const minute = 60;

/** Returns a cron expression. `everySeconds` must divide a minute, or be whole minutes that divide an hour. */
function cronOf(index: number, everySeconds: number): string {
  const phase = index % everySeconds;
  if (everySeconds < minute) return `${phase}-59/${everySeconds} * * * * *`;
  return `${phase % minute} ${Math.floor(phase / minute)}-59/${everySeconds / minute} * * * *`;
}

/** Runs many subscriptions on several processes, of which some are killed. Each due time must run once. */
export async function runAtScale(fixture: RunFixture, options: ScaleTrialOptions): Promise<ScaleTrialReport> {
  const say = options.onProgress ?? (() => undefined);
  const { database } = fixture.svc;
  const crons = await subscribe(fixture, options, say);
  const settings = {
    connection: fixture.svc.testDatabase.connection,
    values: workerValues(fixture.sink.settings),
    leaseMs,
  };
  const workers: WorkerProcess[] = await Promise.all(
    Array.from({ length: options.replicas }, () => startWithPatience(settings)),
  );
  let kills = 0;
  try {
    // No process ran the due times during the preparation.
    await settle(fixture);
    const from = await nowOf(fixture);
    const isOver = (): boolean =>
      kills >= options.killsMin && Date.now() - from.getTime() >= options.seconds * 1_000;
    while (!isOver()) {
      await delay(options.killEverySeconds * 1_000);
      const victim = kills % workers.length;
      await workers[victim]?.kill();
      kills += 1;
      workers[victim] = await startWithPatience(settings);
      say(`${kills} kills, ${(await countRuns(fixture, from, new Date())).runs} runs`);
    }
    const until = await nowOf(fixture);
    const due = [...crons].map(
      ([id, cron]) => [id, parseSchedule(cron).between(from, until, dueTimesMax)] as const,
    );
    const dueCount = due.reduce((sum, [, times]) => sum + times.length, 0);
    for (const endMs = performance.now() + drainMsMax; performance.now() < endMs; await delay(250)) {
      const { runs, open } = await countRuns(fixture, from, until);
      if (runs >= dueCount && open === 0) break;
      if (open === 0 && (await isIdle(fixture, until))) break;
    }
    const { rows: missed } = await database.query('select from svc.missed_runs');
    return {
      subscriptions: options.subscriptions,
      kills,
      ...(await account(fixture, { due, from, until })),
      recordedMissed: missed.length,
      runsPerSecond: Math.round((dueCount / (until.getTime() - from.getTime())) * 10_000) / 10,
    };
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
  }
}

/** Starts a process, and retries like a supervisor when it fails to start on a busy machine. */
async function startWithPatience(settings: Parameters<typeof startWorker>[0]): Promise<WorkerProcess> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startWorker(settings);
    } catch (error) {
      if (tries === startTriesMax) throw error;
    }
  }
}

/** Waits until no schedule is late: all due times without a process have fired. */
async function settle(fixture: RunFixture): Promise<void> {
  for (const endMs = performance.now() + settleMsMax; performance.now() < endMs; await delay(250)) {
    const { rowCount } = await fixture.svc.database.query(
      `select from svc_jobs.schedule where next_due_at < now() - interval '5 seconds' limit 1`,
    );
    if (rowCount === 0) return;
  }
  throw new Error('The schedules stay late: the machine has no time for its processes.');
}

/** Creates the subscriptions by the API. @returns the schedule of each by its id, in the order of their numbers. */
async function subscribe(
  fixture: RunFixture,
  { subscriptions, everySeconds, tellsEvery }: ScaleTrialOptions,
  say: (line: string) => void,
): Promise<ReadonlyMap<number, string>> {
  const quiet = await fixture.addQuery('select id from orders where id < 0');
  const loud = await fixture.addQuery('select id from orders');
  const recipientId = await fixture.addRecipient('/scale');
  const crons = new Map<number, string>();
  let next = 0;
  const makeSome = async (): Promise<void> => {
    for (let index = next++; index < subscriptions; index = next++) {
      const tells = index % tellsEvery === 0;
      const cronExpression = cronOf(index, everySeconds);
      const { id } = await fixture.addSubscription({
        queryId: tells ? loud : quiet,
        cronExpression,
        // The run of a killed process may still be open at the next due time, which then waits.
        overlap: 'Queue',
        recipientIds: [recipientId],
        notificationTrigger: tells ? 'Always' : 'OnResultCountIncrease',
      });
      crons.set(id, cronExpression);
      if (crons.size % 1_000 === 0) say(`${crons.size} subscriptions`);
    }
  };
  await Promise.all(Array.from({ length: madeAtOnce }, makeSome));
  return crons;
}

async function nowOf(fixture: RunFixture): Promise<Date> {
  const { rows } = await fixture.svc.database.query<{ now: Date }>(
    `select date_trunc('second', now()) + interval '1 second' as now`,
  );
  const [row] = rows;
  if (!row) throw new Error('The database has no time.');
  return row.now;
}

async function countRuns(fixture: RunFixture, from: Date, until: Date) {
  const { rows } = await fixture.svc.database.query<{ runs: number; open: number }>(
    `select count(*)::int as runs, count(*) filter (where status = 'Created')::int as open
      from svc.runs where due_at between $1 and $2`,
    [from, until],
  );
  return rows[0] ?? { runs: 0, open: 0 };
}

/** Returns true when every tick up to `until` has fired, and none waits or runs. No more runs can follow. */
async function isIdle(fixture: RunFixture, until: Date): Promise<boolean> {
  const { rowCount } = await fixture.svc.database.query(
    `select from svc_jobs.schedule where next_due_at <= $1
      union all
      select from svc_jobs.job where schedule_key like 'subscription:%' and due_at <= $1
        and state not in ('Completed', 'Failed', 'Cancelled') limit 1`,
    [until],
  );
  return rowCount === 0;
}

type RunRow = {
  readonly id: number;
  readonly subscriptionId: number;
  readonly dueAt: Date;
  readonly status: string;
  readonly reason: string | null;
  readonly resultCount: number | null;
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly isUnknown: boolean;
  /** Final state of its deliveries. */
  readonly deliveries: string | null;
};

/** Compares the runs and the arrivals at the sink with the due times. */
async function account(
  fixture: RunFixture,
  { due, from, until }: { due: readonly (readonly [number, readonly Date[]])[]; from: Date; until: Date },
) {
  const { rows: runs } = await fixture.svc.database.query<RunRow>(
    `select r.id::int, r.subscription_id as "subscriptionId", r.due_at as "dueAt", r.status, r.reason,
       r.result_count as "resultCount", extract(epoch from r.started_at - r.due_at) * 1000 as "startMs",
       extract(epoch from r.finished_at - r.due_at) * 1000 as "endMs",
       exists (select from svc.deliveries d where d.run_id = r.id and d.run_due_at = r.due_at and d.state = 'Unknown')
         as "isUnknown",
       (select string_agg(concat_ws(' ', d.state, d.http_class, d.reason), ', ' order by d.id) from svc.deliveries d
         where d.run_id = r.id and d.run_due_at = r.due_at) as deliveries
     from svc.runs r where r.due_at between $1 and $2`,
    [from, until],
  );
  const { rows: late } = await fixture.svc.database.query<{
    subscriptionId: number;
    first: Date;
    last: Date;
  }>(
    `select substring(schedule_key from 'subscription:(.*)')::int as "subscriptionId", due_at as last, coalesce((
         select max(b.due_at) from svc_jobs.schedule_tick b where b.schedule_key = t.schedule_key and b.due_at < t.due_at
       ), $1) as first
     from svc_jobs.schedule_tick t where missed_count > 0 and schedule_key like 'subscription:%' and due_at >= $1`,
    [from],
  );
  const wasPassedOver = (subscription: number, at: number): boolean =>
    late.some(
      ({ subscriptionId, first, last }) =>
        subscriptionId === subscription && at >= first.getTime() && at < last.getTime(),
    );
  const keyOf = (id: number, at: Date) => `${id} ${at.getTime()}`;
  const wanted = new Set(due.flatMap(([id, times]) => times.map((at) => keyOf(id, at))));
  const runKeys = new Set(runs.map(({ subscriptionId, dueAt }) => keyOf(subscriptionId, dueAt)));
  const arrivals = new Map<number, number>();
  for (const { text } of fixture.sink.received) {
    const id = Number(/\/notifications\/(\d+)/.exec(text)?.[1]);
    arrivals.set(id, (arrivals.get(id) ?? 0) + 1);
  }
  // A run without rows sends no message. A run with rows sends one message, unless a kill interrupted it.
  const isRight = ({ id, status, resultCount, isUnknown }: RunRow): boolean =>
    resultCount === 0
      ? status === 'NoResults' && !arrivals.has(id)
      : (status === 'Sent' && arrivals.get(id) === 1) || (status === 'Failed' && isUnknown);
  const ended = runs.filter(({ status }) => status !== 'Created');
  const wrong = ended.filter((run) => !isRight(run));
  const wrongEnds: Record<string, number> = {};
  for (const { id, status, reason, deliveries } of wrong) {
    const end = `${status}: ${deliveries ?? reason ?? 'no reason'} (${arrivals.get(id) ?? 0} messages)`;
    wrongEnds[end] = (wrongEnds[end] ?? 0) + 1;
  }
  const without = due.flatMap(([id, times]) =>
    times.filter((at) => !runKeys.has(keyOf(id, at))).map((at) => wasPassedOver(id, at.getTime())),
  );
  return {
    due: wanted.size,
    missed: without.filter((isPassedOver) => !isPassedOver).length,
    passedOver: without.filter((isPassedOver) => isPassedOver).length,
    doubled: runs.length - runKeys.size,
    unexpected: [...runKeys].filter((key) => !wanted.has(key)).length,
    unended: runs.length - ended.length,
    wrong: wrong.length,
    wrongEnds,
    toldTwice: [...arrivals.values()].filter((count) => count > 1).length,
    unknown: runs.filter(({ isUnknown }) => isUnknown).length,
    startMs: spreadOf(runs.map(({ startMs }) => startMs)),
    endMs: spreadOf(runs.map(({ endMs }) => endMs)),
  };
}

function spreadOf(values: readonly (number | null)[]): Spread {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  const at = (share: number): number => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return { median: at(0.5), p99: at(0.99), max: at(1) };
}
