import type { Jobs } from '@svc/jobs';
import { createHealthService, type HealthService, healthRoutes } from '../domains/health/index.ts';
import { probePool } from '../platform/db/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

/**
 * Composes the health check of the pools for requests and for the job engine. It ignores the replica, because the
 * primary is its fallback.
 */
export function composeHealth(
  { database }: Ground,
  { jobs }: { readonly jobs: Pick<Jobs, 'probe'> },
): Part & Pick<HealthService, 'check'> {
  const health = createHealthService([(timeoutMs) => probePool(database.pool, timeoutMs), jobs.probe]);
  return { routes: healthRoutes(health), check: health.check };
}
