import type { composeAdministration } from '../administration.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { makeJobEngine } from '../job-engine.ts';
import { composeLlmBudget } from '../models/llm-budget.ts';
import type { Module } from '../module.ts';
import { composeClockNotices } from '../runs/clock-notices.ts';
import type { composeDataContracts } from '../runs/data-contracts.ts';
import type { composeNotices } from '../runs/notices.ts';
import type { composeRuns } from '../runs/runs.ts';
import { type composeTaskLife, composeTasks } from '../runs/tasks.ts';
import type { DataSourcesModule } from '../sources/data-sources.ts';
import type { QueriesModule } from '../sources/queries.ts';
import { composeSchemaDrift } from '../sources/schema-drift.ts';
import { composeControlTower } from './control-tower.ts';
import { registerGauges } from './metrics.ts';

type OverviewDeps = {
  readonly jobs: ReturnType<typeof makeJobEngine>;
  readonly runs: ReturnType<typeof composeRuns>;
  readonly life: ReturnType<typeof composeTaskLife>;
  readonly notices: ReturnType<typeof composeNotices>['notices'];
  readonly sources: DataSourcesModule;
  readonly queries: QueriesModule;
  readonly quality: ReturnType<typeof composeDataContracts>;
  readonly llmLimits: ReturnType<typeof composeAdministration>['llmLimits'];
};

/**
 * Composes the overview modules: budget of the model, clock notices, schema changes, tasks, control tower, home
 * page.
 */
export function composeOverview(infra: Infrastructure, deps: OverviewDeps): readonly Module[] {
  const { jobs, life, notices } = deps;
  const { history } = deps.runs;
  registerGauges(infra, deps);
  return [
    composeLlmBudget(infra, deps),
    composeClockNotices(infra, deps),
    composeSchemaDrift(infra, deps),
    composeTasks(infra, { life, notices, history }),
    composeControlTower(infra, { jobs, history, evaluations: deps.quality.evaluations }),
  ];
}
