import type { Metadata } from '@svc/connectors';
import type { ListQuery, Page, Preflight, SchemaChange, SchemaChangeKind } from '@svc/contract';
import { plural } from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import { pageOf, pageRequest } from '../../platform/http/index.ts';
import { requireInProject } from '../data-sources/index.ts';
import type { TellPeople, TellResponsible } from '../notices/index.ts';
import type { ParameterValues, SavedQueryPlan } from '../queries/index.ts';
import { createKeepCheck, examplesFor, outcomeOf } from './check.ts';
import { canBreak, differencesOf } from './differences.ts';
import { checkQueries } from './jobs.ts';
import * as store from './store.ts';

/** Maximum number of concurrent plans per source. */
const plansAtOnce = 2;

/**
 * Returns a function to call with a new snapshot, in the transaction that stores it. It stores the changes. It enqueues
 * a check of the source's queries if one of them may have broken, or may work again.
 */
export const createNoteChanges =
  (jobs: Jobs, onDifference: (tx: Tx, dataSourceId: number) => Promise<void>) =>
  async (tx: Tx, dataSourceId: number, after: Metadata, before: Metadata | undefined): Promise<void> => {
    if (!before) return;
    const differences = differencesOf(before, after);
    if (differences.length === 0) return;
    await store.insertChanges(tx, dataSourceId, differences);
    await onDifference(tx, dataSourceId);
    if (differences.some(canBreak) || (await store.hasBroken(tx, dataSourceId)))
      await jobs.enqueue(tx, checkQueries, { dataSourceId });
  };

export type DriftDeps = {
  readonly database: Database;
  readonly planQuery: (
    executor: Executor,
    queryId: number,
  ) => Promise<SavedQueryPlan | 'QueryGone' | 'SourceNotLinked' | 'QueryNotApproved'>;
  /** Checks a query gate by gate. Requests only a plan from the engine. */
  readonly preflight: (
    plan: SavedQueryPlan,
    values: ParameterValues,
    signal: AbortSignal,
  ) => Promise<Preflight>;
  readonly tellPeople: TellPeople;
  readonly tellResponsible: TellResponsible;
};

/** Creates the service for changes of schemas, and for queries that the engines can no longer plan. */
export function createDriftService({ database, planQuery, preflight, ...tell }: DriftDeps) {
  const keep = createKeepCheck(tell);

  /** Checks one query. @returns false when its source was unavailable. */
  const checkQuery = async (queryId: number, signal: AbortSignal): Promise<boolean> => {
    const plan = await planQuery(database, queryId);
    // The query cannot run, so a schema change cannot break it.
    if (typeof plan === 'string') return true;
    const looked = outcomeOf(await preflight(plan, examplesFor(plan), signal));
    if (looked === 'SourceAway') return false;
    await database.transaction((tx) => keep(tx, queryId, plan.versionId, looked));
    return true;
  };

  return {
    list: async (
      caller: Caller,
      dataSourceId: number,
      query: ListQuery & { kind?: SchemaChangeKind; table?: string },
    ): Promise<Page<SchemaChange>> => {
      await requireInProject(database, caller, dataSourceId, 'Read');
      const page = pageRequest(query, {
        sortable: store.changeSortable,
        byDefault: '-foundAt',
        unique: 'c.id',
      });
      const filter = { kind: query.kind ?? null, table: query.table || null };
      const { rows, totalCount } = await store.listChanges(database, dataSourceId, filter, page);
      const shown = rows.map(({ foundAt, ...row }) => ({ ...row, foundAt: foundAt.toISOString() }));
      return pageOf(shown, totalCount, page);
    },

    /**
     * Checks every query that reads a source.
     *
     * @throws Error when a source was unavailable, so that the job is retried. Outcomes until then are stored.
     */
    check: async (dataSourceId: number, signal: AbortSignal): Promise<void> => {
      const waiting = await store.queriesOn(database, dataSourceId);
      let unanswered = 0;
      const work = async (): Promise<void> => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
          if (!(await checkQuery(id, signal))) unanswered += 1;
      };
      await Promise.all(Array.from({ length: plansAtOnce }, work));
      if (unanswered > 0)
        throw new Error(
          `${plural(unanswered, 'query', 'queries')} could not be checked: a data source of theirs did not answer.`,
        );
    },

    due: (limit: number): Promise<number[]> => store.dueSources(database, limit),
  };
}

export type DriftService = ReturnType<typeof createDriftService>;
