import type { Jobs } from '@svc/jobs';
import { createTowerService, towerRoutes } from '../domains/control-tower/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import type { RunsPart } from './runs.ts';

/** What is well and what is not, at a glance. */
export const composeControlTower = (
  { database, clock, settings }: Ground,
  { jobs, history }: { readonly jobs: Jobs } & Pick<RunsPart, 'history'>,
): Part => ({
  routes: towerRoutes(
    createTowerService({
      database,
      clock,
      rights: projectRights,
      history,
      heartbeats: async () => (await jobs.read.servers()).map(({ heartbeatAt }) => heartbeatAt),
      graceSeconds: settings.subscriptions.missedRunGraceSeconds,
    }),
  ),
});
