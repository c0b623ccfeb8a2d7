import type { Jobs } from '@svc/jobs';
import type { EvaluationsService } from '../../domains/contract-evaluations/index.ts';
import { createTowerService, createWorkers, towerRoutes } from '../../domains/control-tower/index.ts';
import { createHomeService, homeRoutes } from '../../domains/home/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import { jobQueues } from '../../operations/job-queues.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { RunsModule } from '../runs/runs.ts';

/** Composes the status pages: the control tower and the home page. */
export function composeControlTower(
  { database, clock, settings }: Infrastructure,
  deps: { readonly jobs: Jobs; readonly evaluations: EvaluationsService } & Pick<RunsModule, 'history'>,
): Module {
  const { jobs, history } = deps;
  const rights = projectRights;
  const workers = createWorkers({
    clock,
    queues: jobQueues,
    processes: jobs.read.servers,
    pausedQueues: jobs.read.pausedQueues,
  });
  const { missedRunGraceSeconds: graceSeconds } = settings.subscriptions;
  const tower = createTowerService({
    database,
    clock,
    rights,
    history,
    workers,
    graceSeconds,
    retainedDays: settings.retention,
    evaluations: deps.evaluations.list,
  });
  const home = createHomeService({
    database,
    rights,
    visibleRuns: history.visibleTo,
    countRuns: history.count,
    workers,
    areMigrationsEnabled: settings.migrationsEnabled,
  });
  return { routes: [...towerRoutes(tower), ...homeRoutes(home)] };
}
