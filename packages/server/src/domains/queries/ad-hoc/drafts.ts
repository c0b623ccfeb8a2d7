import type { Preflight, QueryPlans, QueryPreview, QueryStepInput } from '@svc/contract';
import { refusingOverHttp } from '../../../gateways/run-sql/index.ts';
import type { Caller } from '../../../platform/access/index.ts';
import { checkDefinition, type ParameterValues, type QueryDefinition } from '../definition.ts';
import type { QueryRunPlan } from '../plan.ts';
import { requireLinked } from '../reach.ts';
import type { AdHocRunsDeps } from './ad-hoc-runs.ts';
import { type Execution, isViewed, requireSteps, type StoredDefinition } from './execution.ts';
import { explain } from './explain.ts';
import { preflight } from './preflight.ts';
import type { PreviewExtent } from './preview.ts';

export type Draft = Pick<QueryDefinition, 'finalQuery' | 'parameters'> & {
  readonly projectId: number;
  readonly steps: readonly QueryStepInput[];
};

/** Creates the runs and checks of drafts. A caller who runs unsaved SQL needs the right to save it. */
export function createDraftRuns(deps: AdHocRunsDeps, { plan, preview }: Execution) {
  const { database, rights } = deps;

  const requireValid = async (caller: Caller, draft: Draft): Promise<void> => {
    await rights.require(database, caller, draft.projectId, 'Write');
    checkDefinition({ name: '', ...draft });
    await requireLinked(database, draft.projectId, draft.steps);
  };

  const planDraft = async (caller: Caller, draft: Draft): Promise<QueryRunPlan> => {
    await requireValid(caller, draft);
    requireSteps(draft);
    return plan(database, runnable(draft));
  };

  return {
    previewDraft: async (
      caller: Caller,
      draft: Draft,
      values: ParameterValues,
      page: PreviewExtent,
      signal: AbortSignal,
    ): Promise<QueryPreview> => {
      await requireValid(caller, draft);
      const query = runnable(draft);
      const work = () => preview(caller, query, values, page, signal);
      return isViewed(page) ? deps.recordRun(caller, { ...query, queryId: null }, work) : work();
    },

    /** Checks a draft gate by gate, without running it. */
    preflightDraft: async (
      caller: Caller,
      draft: Draft,
      values: ParameterValues,
      signal: AbortSignal,
    ): Promise<Preflight> => {
      const planned = await planDraft(caller, draft);
      return refusingOverHttp(() => preflight(deps, planned, values, { signal, ...callerIdOf(caller) }));
    },

    /** Requests a plan of each step from its engine. */
    explainDraft: async (
      caller: Caller,
      draft: Draft,
      values: ParameterValues,
      signal: AbortSignal,
    ): Promise<QueryPlans> => {
      const planned = await planDraft(caller, draft);
      return refusingOverHttp(() => explain(deps, planned, values, { signal, ...callerIdOf(caller) }));
    },
  };
}

const callerIdOf = ({ userId }: Caller) => (userId === null ? {} : { callerId: `user ${userId}` });

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
