import type { ExportFormat, Preflight, QueryPlans, QueryPreview, QueryStepInput } from '@svc/contract';
import {
  type FingerprintRequest,
  type MaskingRules,
  type RunResult,
  type RunSql,
  refusingOverHttp,
} from '../../../gateways/run-sql/index.ts';
import type { Caller } from '../../../platform/access/index.ts';
import { begun } from '../../../platform/concurrency/begun.ts';
import type { Database, Executor } from '../../../platform/db/index.ts';
import { conflict, notFound, notPossible } from '../../../platform/http/index.ts';
import { fileNameOf } from '../../../platform/tabular/index.ts';
import type { Audit, CallerActor } from '../../audit/index.ts';
import type { ProjectRights } from '../../projects/index.ts';
import { checkDefinition, type ParameterValues, type QueryDefinition } from '../definition.ts';
import {
  type OpenDataSources,
  placeholderNames,
  planOf,
  type QueryRunPlan,
  type RunnableQuery,
} from '../plan.ts';
import { readableQuery, requireLinked } from '../reach.ts';
import { explain } from './explain.ts';
import { preflight } from './preflight.ts';
import { type PreviewExtent, readPage, wholePreview } from './preview.ts';

export type AdHocRunsDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly runSql: RunSql;
  readonly openDataSources: OpenDataSources;
  readonly limits: { readonly maxExecutionRows: number; readonly timeoutSeconds: number };
  readonly masking: MaskingRules;
  /** Stores a run in the history of the caller. */
  readonly keeping: KeepingRun;
};

/** Executes `work` and stores its outcome in the history of the caller. */
export type KeepingRun = <T extends { readonly totalCount: number }>(
  caller: Caller,
  text: {
    readonly projectId: number;
    readonly queryId: number | null;
    readonly versionNumber: number | null;
    readonly steps: RunnableQuery['steps'];
    readonly finalQuery: string | null;
  },
  work: () => Promise<T>,
) => Promise<T>;

export type Draft = Pick<QueryDefinition, 'finalQuery' | 'parameters'> & {
  readonly projectId: number;
  readonly steps: readonly QueryStepInput[];
};

/** Started run for an export. */
export type QueryRun = {
  readonly result: Pick<RunResult, 'columns' | 'batches'>;
  readonly fileName: string;
};

/** Definition to run, with its version number; null for a draft. */
export type StoredDefinition = RunnableQuery & { readonly versionNumber: number | null };

/** Creates the ad-hoc runs of saved queries and drafts: a caller waits for their results. */
export function createAdHocRuns(deps: AdHocRunsDeps) {
  const { database, rights } = deps;
  const { plan, run, preview } = runsThrough(deps);

  /** Checks a draft. A caller who runs unsaved SQL needs the right to save it. */
  const checkDraft = async (caller: Caller, draft: Draft): Promise<void> => {
    await rights.require(database, caller, draft.projectId, 'Write');
    checkDefinition({ name: '', ...draft });
    await requireLinked(database, draft.projectId, draft.steps);
  };

  return {
    preview: async (
      caller: Caller,
      id: number,
      values: ParameterValues,
      page: PreviewExtent,
      signal: AbortSignal,
    ): Promise<QueryPreview> => {
      const query = await readableQuery(rights, database, caller, id);
      refuseUnapproved(query);
      const work = () => preview(caller, query.row, values, page, signal);
      return isAsked(page) ? deps.keeping(caller, { ...query.row, queryId: id }, work) : work();
    },

    /** Runs a stored definition. The calling domain must check that the caller may read it. */
    previewStored: preview,

    /** Runs a stored definition and streams its rows with fingerprints of the unmasked cells. */
    runStored: async (
      caller: Caller,
      query: StoredDefinition,
      values: ParameterValues,
      fingerprints: FingerprintRequest,
      signal: AbortSignal,
    ): Promise<RunResult> => {
      if (query.steps.length === 0) throw emptyQuery();
      return run(caller, await plan(database, query), values, signal, { fingerprints });
    },

    previewStep: async (
      caller: Caller,
      id: number,
      stepOrder: number,
      values: ParameterValues,
      page: PreviewExtent,
      signal: AbortSignal,
    ): Promise<QueryPreview> => {
      const query = await readableQuery(rights, database, caller, id);
      refuseUnapproved(query);
      const { row } = query;
      const step = row.steps.find((candidate) => candidate.order === stepOrder);
      if (!step) throw notFound();
      // Only parameters of this step apply. Values of other parameters are ignored.
      const names = placeholderNames(step.sql);
      const used = row.parameters.filter((parameter) => names.has(parameter.name));
      const stepValues = Object.fromEntries(
        Object.entries(values).filter(([name]) => used.some((parameter) => parameter.name === name)),
      );
      const alone = { ...row, steps: [step], finalQuery: null, parameters: used };
      return preview(caller, alone, stepValues, page, signal);
    },

    previewDraft: async (
      caller: Caller,
      draft: Draft,
      values: ParameterValues,
      page: PreviewExtent,
      signal: AbortSignal,
    ): Promise<QueryPreview> => {
      await checkDraft(caller, draft);
      const query = runnable(draft);
      const work = () => preview(caller, query, values, page, signal);
      return isAsked(page) ? deps.keeping(caller, { ...query, queryId: null }, work) : work();
    },

    /** Checks a draft gate by gate, without running it. */
    preflightDraft: async (
      caller: Caller,
      draft: Draft,
      values: ParameterValues,
      signal: AbortSignal,
    ): Promise<Preflight> => {
      await checkDraft(caller, draft);
      if (draft.steps.length === 0) throw emptyQuery();
      const planned = await plan(database, runnable(draft));
      return refusingOverHttp(() =>
        preflight(deps, planned, values, {
          signal,
          ...(caller.userId !== null && { callerId: `user ${caller.userId}` }),
        }),
      );
    },

    /** Requests a plan of each step from its engine. */
    explainDraft: async (
      caller: Caller,
      draft: Draft,
      values: ParameterValues,
      signal: AbortSignal,
    ): Promise<QueryPlans> => {
      await checkDraft(caller, draft);
      if (draft.steps.length === 0) throw emptyQuery();
      const planned = await plan(database, runnable(draft));
      return refusingOverHttp(() =>
        explain(deps, planned, values, {
          signal,
          ...(caller.userId !== null && { callerId: `user ${caller.userId}` }),
        }),
      );
    },

    /** Checks a query that is ready to run, without a caller. */
    preflightPlanned: (
      planned: QueryRunPlan,
      values: ParameterValues,
      signal: AbortSignal,
    ): Promise<Preflight> => preflight(deps, planned, values, { signal }),

    /** Starts a run whose complete result goes to a file. */
    startExport: async (
      actor: CallerActor,
      id: number,
      format: ExportFormat,
      values: ParameterValues,
      signal: AbortSignal,
    ): Promise<QueryRun> => {
      const { row } = await readableQuery(rights, database, actor.caller, id);
      refuseUnapproved({ row, canEdit: false });
      if (row.steps.length === 0) throw emptyQuery();
      const result = await refusingOverHttp(async () => {
        const planned = await plan(database, row);
        const started = await run(actor.caller, planned, values, signal, { hasSlowReader: true });
        return { columns: started.columns, batches: await begun(started.batches) };
      });
      const audited = {
        event: 'queries.result_exported' as const,
        subject: { kind: 'query', id },
        projectId: row.projectId,
        detail: { format },
      };
      await database.transaction((tx) => deps.audit.record(tx, { ...audited, by: actor }));
      return { result, fileName: fileNameOf(row.name, format.toLowerCase()) };
    },
  };
}

/** Refuses an unapproved query, except for callers who may change it. They can preview it like a draft. */
function refuseUnapproved(query: {
  readonly row: { readonly activeVersionId: number | null };
  readonly canEdit: boolean;
}): void {
  if (query.row.activeVersionId === null && !query.canEdit) throw notApproved();
}

export const notApproved = () =>
  conflict('query-not-approved', 'Nobody has approved this definition yet. It can run once somebody has.');

/** Returns true if a user views the result. Programs read pages, or one row to get the count. */
const isAsked = (page: PreviewExtent): boolean => page === wholePreview;

const emptyQuery = () => notPossible('query-empty', 'This query has no step yet. Add one first.');

/** Creates the steps that all ad-hoc runs share. They use the run-SQL gateway. */
function runsThrough({ database, openDataSources, runSql, limits, masking }: AdHocRunsDeps) {
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
      if (query.steps.length === 0) throw emptyQuery();
      const read = await readPage(await run(caller, await plan(database, query), values, signal), page);
      return { ...read, versionNumber: query.versionNumber };
    });

  return { plan, run, preview };
}

/** Returns a draft in the form of a stored definition, without a version number. */
const runnable = ({ projectId, steps, finalQuery, parameters }: Draft): StoredDefinition => ({
  projectId,
  steps: steps.map((step, index) => ({
    order: index + 1,
    name: step.name ?? null,
    dataSourceId: step.dataSourceId,
    sql: step.sql,
  })),
  finalQuery: finalQuery || null,
  parameters: [...(parameters ?? [])],
  versionNumber: null,
});
