import type { Jobs } from '@svc/jobs';
import { createHealthService, type HealthService, healthRoutes } from '../domains/health/index.ts';
import { probePool } from '../platform/db/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

/**
 * Health of the pools that serve: the one of requests and the one of the job engine. A replica is not among them, since
 * the primary answers in its place.
 */
export function composeHealth(
  { database }: Ground,
  { jobs }: { readonly jobs: Pick<Jobs, 'probe'> },
): Part & Pick<HealthService, 'check'> {
  const health = createHealthService([(timeoutMs) => probePool(database.pool, timeoutMs), jobs.probe]);
  return { routes: healthRoutes(health), check: health.check };
}
