import { createHealthService, type HealthService, healthRoutes } from '../domains/health/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

/** Whether the metadata database answers. */
export function composeHealth(ground: Ground): Part & Pick<HealthService, 'check'> {
  const health = createHealthService(ground.connection);
  return { routes: healthRoutes(health), check: health.check, close: health.close };
}
