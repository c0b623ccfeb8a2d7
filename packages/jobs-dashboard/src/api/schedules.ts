import { JobsError, parseSchedule } from '@svc/jobs';
import { actOn } from '../act.ts';
import { numberOf, oneOf, textOf } from '../http/input.ts';
import type { Context, Route } from '../http/route.ts';
import { notFound } from '../problem.ts';
import { redact } from '../redact.ts';
import { listSchedules, listTicks, type ScheduleItem } from '../sql/schedules.ts';
import { idOf, keyOf, shownPayload } from './shape.ts';

const limitDefault = 50;
const limitMax = 200;
const nextTimesShown = 5;
const ticksShown = 50;

type Expression = Pick<ScheduleItem, 'key' | 'cron' | 'timeZone' | 'isEnabled'>;

/** Returns the description and next times of an expression. Both are empty when this version cannot parse it. */
function explained(schedule: Expression) {
  const id = idOf(schedule.key);
  try {
    const parsed = parseSchedule(schedule.cron, schedule.timeZone);
    const nextTimes = schedule.isEnabled ? parsed.next(nextTimesShown) : [];
    return { id, description: parsed.describe(), nextTimes };
  } catch (error) {
    if (!(error instanceof JobsError)) throw error;
    return { id, description: null, nextTimes: [] };
  }
}

/** Returns the host's names of schedules. An error of the host leaves the names empty, so the list still works. */
async function namesOf({ options }: Context, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (!options.nameSchedules || keys.length === 0) return new Map();
  return options.nameSchedules(keys).catch((error: unknown) => {
    options.logger?.warn(
      { error: error instanceof Error ? error.message : 'unknown' },
      'the host could not name schedules',
    );
    return new Map<string, string>();
  });
}

async function list(context: Context) {
  const { db, query } = context;
  const enabled = textOf(query, 'enabled');
  const isEnabled =
    enabled === undefined ? undefined : oneOf('enabled', enabled, ['true', 'false']) === 'true';
  const { items, total } = await listSchedules(
    db,
    { text: textOf(query, 'search'), isEnabled },
    {
      limit: numberOf(query, 'limit', { min: 1, max: limitMax, byDefault: limitDefault }),
      offset: numberOf(query, 'offset', { min: 0, max: 1_000_000, byDefault: 0 }),
    },
  );
  const names = await namesOf(
    context,
    items.map(({ key }) => key),
  );
  return {
    items: items.map((item) => ({ ...item, ...explained(item), title: names.get(item.key) ?? null })),
    total,
  };
}

async function detail(context: Context) {
  const { db, jobs, params, isSensitive } = context;
  const schedule = await jobs.schedules.get(keyOf(params['id'] ?? ''));
  if (!schedule) throw notFound('schedule');
  return {
    ...schedule,
    ...explained(schedule),
    title: (await namesOf(context, [schedule.key])).get(schedule.key) ?? null,
    payload: shownPayload(context, schedule.jobName, schedule.payload),
    metadata: redact(schedule.metadata, isSensitive),
    ticks: await listTicks(db, schedule.key, ticksShown),
  };
}

/** Enqueues the schedule's job immediately, even when disabled, without a change to the schedule. */
async function run(context: Context) {
  const scheduleKey = keyOf(context.params['id'] ?? '');
  return actOn(context, { kind: 'RunSchedule', scheduleKey }, async (transaction) => {
    const fired = await context.jobs.schedules.trigger(transaction, scheduleKey);
    if (!fired) throw notFound('schedule');
    return { result: fired, jobIds: [fired.jobId] };
  });
}

const switchTo = (isEnabled: boolean) => async (context: Context) => {
  const scheduleKey = keyOf(context.params['id'] ?? '');
  const kind = isEnabled ? 'ResumeSchedule' : 'PauseSchedule';
  return actOn(context, { kind, scheduleKey }, async (transaction) => {
    const isThere = await context.jobs.schedules.setEnabled(transaction, scheduleKey, isEnabled);
    if (!isThere) throw notFound('schedule');
    return { result: { isEnabled } };
  });
};

/** Response types before JSON serialization, for the pages. */
export type ScheduleList = Awaited<ReturnType<typeof list>>;
export type ScheduleDetail = Awaited<ReturnType<typeof detail>>;

/** Routes for recurring schedules. */
export const scheduleRoutes: readonly Route[] = [
  { method: 'GET', path: '/recurring', answer: list },
  { method: 'GET', path: '/recurring/{id}', answer: detail },
  { method: 'POST', path: '/recurring/{id}/run', answer: run },
  { method: 'POST', path: '/recurring/{id}/pause', answer: switchTo(false) },
  { method: 'POST', path: '/recurring/{id}/resume', answer: switchTo(true) },
];
