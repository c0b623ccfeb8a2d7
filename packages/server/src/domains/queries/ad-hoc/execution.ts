import type { QueryPreview } from '@svc/contract';
import {
  type FingerprintRequest,
  type MaskingRules,
  type RunResult,
  type RunSql,
  refusingOverHttp,
} from '../../../gateways/run-sql/index.ts';
import type { Caller } from '../../../platform/access/index.ts';
import type { Database, Executor } from '../../../platform/db/index.ts';
import { conflict, notPossible } from '../../../platform/http/index.ts';
import type { ParameterValues } from '../definition.ts';
import { type OpenDataSources, planOf, type QueryRunPlan, type RunnableQuery } from '../plan.ts';
import { type PreviewExtent, readPage, wholePreview } from './preview.ts';

export type ExecutionDeps = {
  readonly database: Database;
  readonly runSql: RunSql;
  readonly openDataSources: OpenDataSources;
  readonly limits: { readonly maxExecutionRows: number; readonly timeoutSeconds: number };
  readonly masking: MaskingRules;
};

/** Definition to run, with its version number; null for a draft. */
export type StoredDefinition = RunnableQuery & { readonly versionNumber: number | null };

export type Execution = ReturnType<typeof createExecution>;

/** Creates the steps that all ad-hoc runs share. They use the run-SQL gateway. */
export function createExecution({ database, openDataSources, runSql, limits, masking }: ExecutionDeps) {
  const plan = async (executor: Executor, query: RunnableQuery): Promise<QueryRunPlan> => {
    const planned = await planOf(executor, query, openDataSources);
    if (planned === 'SourceNotLinked')
      throw conflict(
        'source-not-linked',
        "A data source of this query is no longer linked to the query's project.",
      );
    return planned;
  };

  const run = (
    caller: Caller,
    planned: QueryRunPlan,
    values: ParameterValues,
    signal: AbortSignal,
    more: { readonly fingerprints?: FingerprintRequest; readonly hasSlowReader?: boolean } = {},
  ): Promise<RunResult> =>
    runSql.run({
      ...more,
      ...planned.request,
      parameters: { declared: planned.parameters, values },
      limits: { timeoutMs: limits.timeoutSeconds * 1_000, maxRows: limits.maxExecutionRows },
      masking,
      signal,
      ...(caller.userId !== null && { callerId: `user ${caller.userId}` }),
    });

  const preview = (
    caller: Caller,
    query: StoredDefinition,
    values: ParameterValues,
    page: PreviewExtent,
    signal: AbortSignal,
  ): Promise<QueryPreview> =>
    refusingOverHttp(async () => {
      requireSteps(query);
      const read = await readPage(await run(caller, await plan(database, query), values, signal), page);
      return { ...read, versionNumber: query.versionNumber };
    });

  return { plan, run, preview };
}

/** Throws the refusal of a run without steps. */
export function requireSteps({ steps }: { readonly steps: readonly unknown[] }): void {
  if (steps.length === 0) throw notPossible('query-empty', 'This query has no step yet. Add one first.');
}

/** Refuses an unapproved query, except for callers who may change it. They can preview it like a draft. */
export function requireApproved(query: {
  readonly row: { readonly activeVersionId: number | null };
  readonly canEdit: boolean;
}): void {
  if (query.row.activeVersionId === null && !query.canEdit) throw notApproved();
}

export const notApproved = () =>
  conflict('query-not-approved', 'Nobody has approved this definition yet. It can run once somebody has.');

/** Returns true if a user views the result. Programs read pages, or one row to get the count. */
export const isViewed = (page: PreviewExtent): boolean => page === wholePreview;
