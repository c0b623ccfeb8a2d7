import { type Executor, isFinalState, type JobState } from '@svc/jobs';
import { actOn } from '../act.ts';
import { isUuid, oneOf } from '../http/input.ts';
import type { Context, Route } from '../http/route.ts';
import type { ActKind } from '../options.ts';
import { conflict, invalid, notFound } from '../problem.ts';
import { deleteJobs } from '../sql/delete-jobs.ts';
import { findJobs } from '../sql/find-jobs.ts';
import type { JobFilter } from '../sql/job-filter.ts';
import { filterOf } from './job-query.ts';

/** Maximum number of jobs that one request changes. A user repeats the request to change more. */
const bulkMax = 5_000;
/** Maximum number of jobs per transaction. */
const partMax = 500;
const pageMax = 200;
/** Maximum number of pages read for the jobs of a filter, so that a rare match does not read the whole table. */
const pagesMax = 60;

const actNames = ['requeue', 'cancel', 'delete'] as const;
type ActName = (typeof actNames)[number];

type JobAct = {
  readonly kind: ActKind;
  /** Performs the action; returns the outcome of each job. */
  readonly run: (
    context: Context,
    transaction: Executor,
    ids: readonly string[],
  ) => Promise<ReadonlyMap<string, string>>;
  readonly changed: ReadonlySet<string>;
  readonly fits: (state: JobState) => boolean;
  readonly fitting: string;
  readonly impossible: string;
};

const acts: Readonly<Record<ActName, JobAct>> = {
  requeue: {
    kind: 'RequeueJobs',
    run: ({ jobs }, transaction, ids) => jobs.requeueMany(transaction, ids),
    changed: new Set(['Enqueued']),
    fits: (state) => state !== 'Processing' && state !== 'Enqueued',
    fitting: 'jobs that have ended or are not due yet',
    impossible:
      'It runs or waits in its queue already, or is a batch or message: requeue the members of those.',
  },
  cancel: {
    kind: 'CancelJobs',
    run: ({ jobs }, transaction, ids) => jobs.cancelMany(transaction, ids),
    changed: new Set(['Cancelled', 'Requested']),
    fits: (state) => !isFinalState(state),
    fitting: 'jobs that have not ended',
    impossible: 'It has ended already.',
  },
  delete: {
    kind: 'DeleteJobs',
    run: ({ db }, transaction, ids) => deleteJobs(db, transaction, ids),
    changed: new Set(['Deleted']),
    fits: isFinalState,
    fitting: 'jobs that have ended',
    impossible: 'It has not ended, or its batch goes on. Cancel it first, or wait for the batch.',
  },
};

async function runOn(
  context: Context,
  act: JobAct,
  ids: readonly string[],
  detail?: Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<string, string>> {
  return actOn(context, { kind: act.kind, ...(detail && { detail }) }, async (transaction) => {
    const outcomes = await act.run(context, transaction, ids);
    const jobIds = [...outcomes].filter(([, outcome]) => act.changed.has(outcome)).map(([id]) => id);
    return { result: outcomes, jobIds, isNothing: jobIds.length === 0 };
  });
}

const single = (name: ActName) => async (context: Context) => {
  const id = (context.params['id'] ?? '').toLowerCase();
  if (!isUuid(id)) throw notFound('job');
  const act = acts[name];
  const outcome = (await runOn(context, act, [id])).get(id) ?? 'NotFound';
  if (outcome === 'NotFound') throw notFound('job');
  if (!act.changed.has(outcome)) throw conflict('not-possible', act.impossible, { outcome });
  return { id, outcome };
};

type BulkRequest = {
  readonly name: ActName;
  readonly act: JobAct;
  readonly ids: readonly string[] | null;
  readonly filter: JobFilter | null;
  /** Filter as sent by the client, for the audit. It contains no payload. */
  readonly sent: Readonly<Record<string, unknown>> | null;
};

function bulkRequestOf({ body, isSensitive }: Context): BulkRequest {
  const name = oneOf('action', String(body['action']), actNames);
  const act = acts[name];
  const { ids, filter } = body;
  if ((ids === undefined) === (filter === undefined)) throw invalid('Send either ids or a filter.');
  if (ids !== undefined) {
    if (!Array.isArray(ids) || ids.length === 0 || ids.length > bulkMax) {
      throw invalid(`ids must be a list of 1 to ${bulkMax} ids.`);
    }
    const unique = [...new Set(ids.map((id) => String(id).toLowerCase()))];
    if (!unique.every(isUuid)) throw invalid('Each of the ids must be a uuid.');
    return { name, act, ids: unique, filter: null, sent: null };
  }
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) {
    throw invalid('filter must be an object.');
  }
  const sent = filter as Readonly<Record<string, unknown>>;
  const parsed = filterOf((member) => (Object.hasOwn(sent, member) ? sent[member] : undefined), isSensitive);
  if (parsed.state === undefined || !act.fits(parsed.state)) {
    throw invalid(`To ${name} many jobs at once, the filter must name a state of ${act.fitting}.`);
  }
  const { value: _, ...withoutValue } = sent;
  return { name, act, ids: null, filter: parsed, sent: withoutValue };
}

type Matches = { readonly ids: readonly string[]; readonly isMore: boolean };

/** Returns the ids of the requested jobs, at most `bulkMax`. */
async function idsOf({ db }: Context, { ids, filter }: BulkRequest): Promise<Matches> {
  if (ids || !filter) return { ids: ids ?? [], isMore: false };
  const jobIds: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pagesMax && jobIds.length < bulkMax; page += 1) {
    const limit = Math.min(pageMax, bulkMax - jobIds.length);
    const { items, nextCursor } = await findJobs(db, filter, { limit, cursor });
    jobIds.push(...items.map(({ id }) => id));
    if (nextCursor === null) return { ids: jobIds, isMore: false };
    cursor = nextCursor;
  }
  return { ids: jobIds, isMore: true };
}

/** Returns the number of jobs that an action would affect, for the user's confirmation. */
async function count(context: Context) {
  const matches = await idsOf(context, bulkRequestOf(context));
  return { count: matches.ids.length, isMore: matches.isMore };
}

/**
 * Performs an action on many jobs, in transactions of 500. `confirmedCount` is the result of `count`. If more jobs
 * match now, nothing is changed.
 */
async function bulk(context: Context) {
  const request = bulkRequestOf(context);
  const { confirmedCount } = context.body;
  if (typeof confirmedCount !== 'number' || !Number.isSafeInteger(confirmedCount) || confirmedCount < 0) {
    throw invalid('confirmedCount must be the number that was counted and confirmed.');
  }
  const matches = await idsOf(context, request);
  if (matches.ids.length > confirmedCount) {
    throw conflict(
      'count-changed',
      `There are ${matches.ids.length} jobs by now, not ${confirmedCount}. Look again before you ${request.name} them.`,
      { count: matches.ids.length, isMore: matches.isMore },
    );
  }
  const outcomes: Record<string, number> = {};
  let changed = 0;
  for (let from = 0; from < matches.ids.length; from += partMax) {
    const part = matches.ids.slice(from, from + partMax);
    const detail = request.sent ? { filter: request.sent } : undefined;
    for (const outcome of (await runOn(context, request.act, part, detail)).values()) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (request.act.changed.has(outcome)) changed += 1;
    }
  }
  return { changed, unchanged: matches.ids.length - changed, outcomes, isMore: matches.isMore };
}

/** Routes for actions on one job or many jobs. */
export const jobActRoutes: readonly Route[] = [
  ...actNames.map((name): Route => ({ method: 'POST', path: `/jobs/{id}/${name}`, answer: single(name) })),
  { method: 'POST', path: '/jobs/bulk/count', answer: count },
  { method: 'POST', path: '/jobs/bulk/run', answer: bulk },
];
