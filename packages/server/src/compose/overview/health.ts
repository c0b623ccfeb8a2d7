import type { Jobs } from '@svc/jobs';
import { createHealthService, type HealthService, healthRoutes } from '../../domains/health/index.ts';
import { probePool } from '../../platform/db/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

/**
 * Composes the health check of the pools for requests and for the job engine. It ignores the replica, because the
 * primary is its fallback.
 */
export function composeHealth(
  { database }: Infrastructure,
  { jobs }: { readonly jobs: Pick<Jobs, 'probe'> },
): Module & Pick<HealthService, 'check'> {
  const health = createHealthService([(timeoutMs) => probePool(database.pool, timeoutMs), jobs.probe]);
  return { routes: healthRoutes(health), check: health.check };
}
