import type { composeAdministration } from './administration.ts';
import { composeClockNotices } from './clock-notices.ts';
import { composeControlTower } from './control-tower.ts';
import type { composeDataContracts } from './data-contracts.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { makeJobEngine } from './job-engine.ts';
import { composeLlmBudget } from './llm-budget.ts';
import { registerGauges } from './metrics.ts';
import type { composeNotices } from './notices.ts';
import type { Part } from './part.ts';
import type { QueriesPart } from './queries.ts';
import type { composeRuns } from './runs.ts';
import { composeSchemaDrift } from './schema-drift.ts';
import { type composeTaskLife, composeTasks } from './tasks.ts';

type OverviewDeps = {
  readonly jobs: ReturnType<typeof makeJobEngine>;
  readonly runs: ReturnType<typeof composeRuns>;
  readonly life: ReturnType<typeof composeTaskLife>;
  readonly notices: ReturnType<typeof composeNotices>['notices'];
  readonly sources: DataSourcesPart;
  readonly queries: QueriesPart;
  readonly quality: ReturnType<typeof composeDataContracts>;
  readonly llmLimits: ReturnType<typeof composeAdministration>['llmLimits'];
};

/**
 * Composes the overview modules: budget of the model, clock notices, schema changes, tasks, control tower, home
 * page.
 */
export function composeOverview(ground: Ground, deps: OverviewDeps): readonly Part[] {
  const { jobs, life, notices } = deps;
  const { history } = deps.runs;
  registerGauges(ground, deps);
  return [
    composeLlmBudget(ground, deps),
    composeClockNotices(ground, deps),
    composeSchemaDrift(ground, deps),
    composeTasks(ground, { life, notices, history }),
    composeControlTower(ground, { jobs, history, evaluations: deps.quality.evaluations }),
  ];
}
