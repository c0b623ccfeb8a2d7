import { createHealthService, type HealthService, healthRoutes } from '../domains/health/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

/** Whether the metadata database answers on the pool that serves requests. */
export function composeHealth({ database }: Ground): Part & Pick<HealthService, 'check'> {
  const health = createHealthService([database.pool]);
  return { routes: healthRoutes(health), check: health.check };
}
