import type {
  ExportFormat,
  ListQuery,
  Page,
  Preflight,
  Query,
  QueryListItem,
  QueryPreview,
  QueryStepInput,
} from '@svc/contract';
import {
  type MaskingRules,
  type RunResult,
  type RunSql,
  refusingOverHttp,
} from '../../doors/run-sql/index.ts';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import {
  changedMeanwhile,
  conflict,
  notFound,
  notPossible,
  pageOf,
  pageRequest,
} from '../../platform/http/index.ts';
import { fileNameOf } from '../../platform/tabular/index.ts';
import type { Audit, AuditEvent, CallerActor } from '../audit/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { checkDefinition, fieldsOf, type ParameterValues, type QueryDefinition } from './definition.ts';
import { createLiveRuns } from './live-runs.ts';
import {
  type OpenDataSources,
  placeholderNames,
  planOf,
  type QueryRunPlan,
  type RunnableQuery,
} from './plan.ts';
import { preflight } from './preflight.ts';
import { presentQuery, presentQueryListItem } from './present.ts';
import { type PreviewExtent, readPage } from './preview.ts';
import { keyedSteps } from './step-keys.ts';
import {
  findQuery,
  insertQuery,
  listQueries,
  lockLinks,
  lockRow,
  type QueryRow,
  replaceSteps,
  setLocked,
  sortable,
  unlinkedSources,
  updateQuery,
} from './store.ts';
import { addActiveVersion, isActiveDefinition, type VersionDefinition } from './version-store.ts';

export type QueriesDeps = {
  readonly database: Database;
  readonly rights: ProjectRights;
  readonly audit: Audit;
  readonly runSql: RunSql;
  readonly openDataSources: OpenDataSources;
  readonly limits: { readonly maxExecutionRows: number; readonly timeoutSeconds: number };
  readonly masking: MaskingRules;
};

export type Draft = Pick<QueryDefinition, 'finalQuery' | 'parameters'> & {
  readonly projectId: number;
  readonly steps: readonly QueryStepInput[];
};

/** A run of a query for somebody who waits for it. */
export type QueryRun = { readonly result: RunResult; readonly fileName: string };

export type QueriesService = ReturnType<typeof createQueriesService>;

/** Saved queries: definition and ad-hoc runs. A query belongs to one project, and reads only sources linked to it. */
export function createQueriesService(deps: QueriesDeps) {
  const { database, rights } = deps;

  const readable = async (
    executor: Executor,
    caller: Caller,
    id: number,
  ): Promise<{ row: QueryRow; canEdit: boolean }> => {
    const row = await findQuery(executor, id);
    if (!row) throw notFound();
    const right = await rights.require(executor, caller, row.projectId, 'Read');
    return { row, canEdit: right !== 'Read' };
  };

  const writable = async (executor: Executor, caller: Caller, id: number): Promise<QueryRow> => {
    const row = await findQuery(executor, id);
    if (!row) throw notFound();
    await rights.require(executor, caller, row.projectId, 'Write');
    return row;
  };

  /** Every data source of a step must be linked to the project: one that is not is answered like a missing one. */
  const requireLinked = async (
    executor: Executor,
    projectId: number,
    steps: readonly QueryStepInput[],
  ): Promise<void> => {
    const unlinked = await unlinkedSources(
      executor,
      projectId,
      steps.map((step) => step.dataSourceId),
    );
    if (unlinked.length === 0) return;
    const errors = steps.flatMap((step, index) =>
      unlinked.includes(step.dataSourceId)
        ? [{ path: `/steps/${index}/dataSourceId`, message: 'is not linked to this project' }]
        : [],
    );
    throw notPossible(
      'step-source-not-linked',
      'A step reads a data source that is not linked to this project. Link it to the project first.',
      errors,
    );
  };

  const plan = async (executor: Executor, query: RunnableQuery): Promise<QueryRunPlan> => {
    const planned = await planOf(executor, query, deps.openDataSources);
    if (planned === 'SourceNotLinked')
      throw conflict(
        'source-not-linked',
        "A data source of this query is no longer linked to the query's project.",
      );
    return planned;
  };

  const run = async (
    caller: Caller,
    planned: QueryRunPlan,
    values: ParameterValues,
    signal: AbortSignal,
  ): Promise<RunResult> =>
    deps.runSql.run({
      ...planned.request,
      parameters: { declared: planned.parameters, values },
      limits: { timeoutMs: deps.limits.timeoutSeconds * 1_000, maxRows: deps.limits.maxExecutionRows },
      masking: deps.masking,
      signal,
      ...(caller.userId !== null && { callerId: `user ${caller.userId}` }),
    });

  const preview = (
    caller: Caller,
    query: RunnableQuery,
    values: ParameterValues,
    page: PreviewExtent,
    signal: AbortSignal,
  ): Promise<QueryPreview> =>
    refusingOverHttp(async () => {
      if (query.steps.length === 0)
        throw notPossible('query-empty', 'This query has no step yet. Add one first.');
      return readPage(await run(caller, await plan(database, query), values, signal), page);
    });

  /** Whoever runs SQL that nobody saved needs the right to save it. */
  const checkDraft = async (caller: Caller, draft: Draft): Promise<void> => {
    await rights.require(database, caller, draft.projectId, 'Write');
    checkDefinition({ name: '', ...draft });
    await requireLinked(database, draft.projectId, draft.steps);
  };

  /** The canonical definition of a save: what a version holds. */
  const canonical = (input: QueryDefinition, stored: QueryRow['steps']): VersionDefinition => ({
    ...fieldsOf(input),
    steps: keyedSteps(input.steps ?? [], stored),
  });

  const save = async (
    tx: Tx,
    actor: CallerActor,
    id: number,
    projectId: number,
    definition: VersionDefinition,
    change: { readonly event: AuditEvent['event']; readonly reason?: string | null | undefined },
  ): Promise<Query> => {
    const { steps } = definition;
    // A link that is being removed, or a source that is being archived, is waited for.
    await lockLinks(
      tx,
      projectId,
      steps.map((step) => step.dataSourceId),
    );
    await requireLinked(tx, projectId, steps);
    await replaceSteps(tx, id, steps);
    await addActiveVersion(tx, id, definition, {
      userId: actor.caller.userId,
      reason: change.reason?.trim() || null,
    });
    await deps.audit.record(tx, {
      by: actor,
      event: change.event,
      subject: { kind: 'query', id },
      projectId,
    });
    const row = await findQuery(tx, id);
    if (!row) throw notFound();
    return presentQuery(row, true);
  };

  return {
    /** Previews that somebody waits for, and the way to stop one. */
    live: createLiveRuns(),

    list: async (
      caller: Caller,
      query: ListQuery & Parameters<typeof listQueries>[2],
    ): Promise<Page<QueryListItem>> => {
      const { search, projectId, dataSourceId } = query;
      const page = pageRequest(query, { sortable, byDefault: 'name', unique: 'q.id' });
      const { rows, totalCount } = await listQueries(
        database,
        await rights.readableIds(database, caller),
        { search, projectId, dataSourceId },
        page,
      );
      return pageOf(rows.map(presentQueryListItem), totalCount, page);
    },

    get: async (caller: Caller, id: number): Promise<Query> => {
      const { row, canEdit } = await readable(database, caller, id);
      return presentQuery(row, canEdit);
    },

    create: (actor: CallerActor, input: QueryDefinition & { readonly projectId: number }): Promise<Query> =>
      database.transaction(async (tx) => {
        await rights.require(tx, actor.caller, input.projectId, 'Write');
        checkDefinition(input);
        const definition = canonical(input, []);
        const id = await insertQuery(tx, input.projectId, definition, actor.caller.userId);
        return save(tx, actor, id, input.projectId, definition, { event: 'queries.query_created' });
      }),

    update: (
      actor: CallerActor,
      id: number,
      input: QueryDefinition & { readonly changeReason?: string | null },
      expectedVersion: number | undefined,
    ): Promise<Query> =>
      database.transaction(async (tx) => {
        await lockRow(tx, id);
        const row = await writable(tx, actor.caller, id);
        if (expectedVersion !== undefined && expectedVersion !== row.version) throw changedMeanwhile();
        checkDefinition(input);
        const definition = canonical(input, row.steps);
        // A save that changes nothing is answered with what is there: no version, no new ETag, no event.
        if (await isActiveDefinition(tx, id, definition)) return presentQuery(row, true);
        await updateQuery(tx, id, definition, actor.caller.userId);
        return save(tx, actor, id, row.projectId, definition, {
          event: 'queries.query_changed',
          reason: input.changeReason,
        });
      }),

    setLocked: (actor: CallerActor, id: number, isLocked: boolean): Promise<Query> =>
      database.transaction(async (tx) => {
        await lockRow(tx, id);
        const row = await writable(tx, actor.caller, id);
        await setLocked(tx, id, isLocked, actor.caller.userId);
        await deps.audit.record(tx, {
          by: actor,
          event: isLocked ? 'queries.query_locked' : 'queries.query_unlocked',
          subject: { kind: 'query', id },
          projectId: row.projectId,
        });
        return presentQuery(await findQuery(tx, id).then((found) => found ?? row), true);
      }),

    preview: async (
      caller: Caller,
      id: number,
      values: ParameterValues,
      page: PreviewExtent,
      signal: AbortSignal,
    ): Promise<QueryPreview> => {
      const { row } = await readable(database, caller, id);
      return preview(caller, row, values, page, signal);
    },

    previewStep: async (
      caller: Caller,
      id: number,
      stepOrder: number,
      values: ParameterValues,
      page: PreviewExtent,
      signal: AbortSignal,
    ): Promise<QueryPreview> => {
      const { row } = await readable(database, caller, id);
      const step = row.steps.find((candidate) => candidate.order === stepOrder);
      if (!step) throw notFound();
      // Parameters that only other steps use are left out: values for them mean nothing here.
      const names = placeholderNames(step.sql);
      const used = row.parameters.filter((parameter) => names.has(parameter.name));
      const own = Object.fromEntries(
        Object.entries(values).filter(([name]) => used.some((parameter) => parameter.name === name)),
      );
      return preview(
        caller,
        { ...row, steps: [step], finalQuery: null, parameters: used },
        own,
        page,
        signal,
      );
    },

    previewDraft: async (
      caller: Caller,
      draft: Draft,
      values: ParameterValues,
      page: PreviewExtent,
      signal: AbortSignal,
    ): Promise<QueryPreview> => {
      await checkDraft(caller, draft);
      return preview(caller, runnable(draft), values, page, signal);
    },

    /** Looks at a draft gate by gate, without running it. */
    preflightDraft: async (
      caller: Caller,
      draft: Draft,
      values: ParameterValues,
      signal: AbortSignal,
    ): Promise<Preflight> => {
      await checkDraft(caller, draft);
      if (draft.steps.length === 0)
        throw notPossible('query-empty', 'This query has no step yet. Add one first.');
      const planned = await plan(database, runnable(draft));
      return refusingOverHttp(() =>
        preflight(deps, planned, values, {
          signal,
          ...(caller.userId !== null && { callerId: `user ${caller.userId}` }),
        }),
      );
    },

    /** Starts a run whose whole result is going to be written to a file. */
    startExport: async (
      actor: CallerActor,
      id: number,
      format: ExportFormat,
      values: ParameterValues,
      signal: AbortSignal,
    ): Promise<QueryRun> => {
      const { row } = await readable(database, actor.caller, id);
      if (row.steps.length === 0)
        throw notPossible('query-empty', 'This query has no step yet. Add one first.');
      const result = await refusingOverHttp(async () =>
        run(actor.caller, await plan(database, row), values, signal),
      );
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

/** A draft as it runs. */
const runnable = ({ projectId, steps, finalQuery, parameters }: Draft): RunnableQuery => ({
  projectId,
  steps: steps.map((step, index) => ({
    order: index + 1,
    name: step.name ?? null,
    dataSourceId: step.dataSourceId,
    sql: step.sql,
  })),
  finalQuery: finalQuery || null,
  parameters: [...(parameters ?? [])],
});
