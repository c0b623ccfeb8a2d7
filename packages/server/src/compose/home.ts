import { createHomeService, homeRoutes } from '../domains/home/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import type { RunsPart } from './runs.ts';

/** The first page: what happened, and how it goes. */
export const composeHome = (
  { database, settings }: Ground,
  { history }: Pick<RunsPart, 'history'>,
): Part => ({
  routes: homeRoutes(
    createHomeService({
      database,
      rights: projectRights,
      visibleRuns: history.visibleTo,
      areMigrationsEnabled: settings.migrationsEnabled,
    }),
  ),
});
