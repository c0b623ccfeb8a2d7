import type { Preflight } from '@svc/contract';
import type { FingerprintRequest, RunResult } from '../../../gateways/run-sql/index.ts';
import type { Caller } from '../../../platform/access/index.ts';
import type { Audit } from '../../audit/index.ts';
import type { ProjectRights } from '../../projects/index.ts';
import type { ParameterValues } from '../definition.ts';
import type { QueryRunPlan, RunnableQuery } from '../plan.ts';
import { createDraftRuns } from './drafts.ts';
import { createExecution, type ExecutionDeps, requireSteps, type StoredDefinition } from './execution.ts';
import { createStartExport } from './export.ts';
import { preflight } from './preflight.ts';
import { createPreview, createPreviewStep } from './saved-query.ts';

export type AdHocRunsDeps = ExecutionDeps & {
  readonly rights: ProjectRights;
  readonly audit: Audit;
  /** Stores a run in the history of the caller. */
  readonly recordRun: RecordRun;
};

/** Executes `work` and stores its outcome in the history of the caller. */
export type RecordRun = <T extends { readonly totalCount: number }>(
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

/** Creates the ad-hoc runs of saved queries and drafts: a caller waits for their results. */
export function createAdHocRuns(deps: AdHocRunsDeps) {
  const execution = createExecution(deps);
  return {
    ...createDraftRuns(deps, execution),

    preview: createPreview(deps, execution),
    previewStep: createPreviewStep(deps, execution),
    startExport: createStartExport(deps, execution),

    /** Runs a stored definition. The calling domain must check that the caller may read it. */
    previewStored: execution.preview,

    /** Runs a stored definition and streams its rows with fingerprints of the unmasked cells. */
    runStored: async (
      caller: Caller,
      query: StoredDefinition,
      values: ParameterValues,
      fingerprints: FingerprintRequest,
      signal: AbortSignal,
    ): Promise<RunResult> => {
      requireSteps(query);
      const planned = await execution.plan(deps.database, query);
      return execution.run(caller, planned, values, signal, { fingerprints });
    },

    /** Checks a query that is ready to run, without a caller. */
    preflightPlanned: (
      planned: QueryRunPlan,
      values: ParameterValues,
      signal: AbortSignal,
    ): Promise<Preflight> => preflight(deps, planned, values, { signal }),
  };
}
