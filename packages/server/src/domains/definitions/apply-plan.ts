import { type applyDefinitions, type BodyOf, type DefinitionResult, plural } from '@svc/contract';
import { conflict } from '../../platform/http/index.ts';
import type { CallerActor } from '../audit/index.ts';
import { applySteps } from './planning/apply.ts';
import type { DefinitionsDeps } from './service.ts';
import { takePlan } from './store.ts';
import { readPlan } from './stored-plans.ts';

/** Share of the manager's records that a plan may delete. A larger share requires `force`. */
const deletedShareMax = 0.2;

/** Applies a stored plan once and records the outcome. */
export const applyPlan = async (
  deps: DefinitionsDeps,
  by: CallerActor,
  { planId, secrets, force = false }: BodyOf<typeof applyDefinitions>,
): Promise<{ results: DefinitionResult[] }> => {
  const planned = await readPlan(deps, by.caller, planId);
  const deletions = planned.steps.filter(({ action }) => action === 'Delete').length;
  if (!force && deletions > planned.managedCount * deletedShareMax)
    throw conflict(
      'too-many-deletions',
      `The plan deletes ${deletions} of the ${plural(planned.managedCount, 'record')} that were applied from these files. Apply it with force where that is right.`,
    );
  if (!(await takePlan(deps.database, planId)))
    throw conflict('plan-applied', 'This plan was applied already. Plan again.');
  const results = await applySteps(deps, by, planned, { ...(secrets && { secrets }) });
  const count = (outcome: DefinitionResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  await deps.audit.record(deps.database, {
    event: 'definitions.plan_applied',
    by,
    detail: {
      manager: planned.manager,
      managed: planned.managed,
      done: count('Done'),
      awaitingApproval: count('AwaitsApproval'),
      failed: count('Failed') + count('Skipped'),
      notAllowed: count('NotAllowed'),
    },
  });
  return { results };
};
