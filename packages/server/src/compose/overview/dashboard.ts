import type { FastifyInstance } from 'fastify';
import { createJobDashboard, type DashboardOptions } from '../../domains/job-dashboard/index.ts';
import type { Gates } from '../identity/callers.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

export type DashboardModule = Module & { readonly plugin: (app: FastifyInstance) => void };

/**
 * Composes the dashboard of the background jobs, if the host enables it. It uses the same gates as every other
 * route.
 */
export function composeDashboard(
  { database, audit, log, settings }: Infrastructure,
  deps: { readonly options: DashboardOptions; readonly gates: Gates },
): DashboardModule {
  const dashboard = createJobDashboard({
    options: deps.options,
    basePath: settings.addresses.basePath,
    database,
    audit,
    log,
  });
  return { plugin: dashboard.plugin(deps.gates), close: dashboard.close };
}
