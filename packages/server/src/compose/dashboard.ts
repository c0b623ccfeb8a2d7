import type { FastifyInstance } from 'fastify';
import { createJobDashboard, type DashboardOptions } from '../domains/job-dashboard/index.ts';
import type { Gates } from './callers.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

export type DashboardPart = Part & { readonly plugin: (app: FastifyInstance) => void };

/**
 * Composes the dashboard of the background jobs, if the host enables it. It uses the same gates as every other
 * route.
 */
export function composeDashboard(
  { database, audit, log, settings }: Ground,
  deps: { readonly options: DashboardOptions; readonly gates: Gates },
): DashboardPart {
  const dashboard = createJobDashboard({
    options: deps.options,
    basePath: settings.addresses.basePath,
    database,
    audit,
    log,
  });
  return { plugin: dashboard.plugin(deps.gates), close: dashboard.close };
}
