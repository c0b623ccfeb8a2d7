/**
 * Dashboard for jobs: waiting, running and failed jobs with their errors, requests to observed endpoints, and actions
 * on them.
 *
 * @packageDocumentation
 */
export { createJobsDashboard, type JobsDashboard } from './dashboard.ts';
export type { FastifyLike, FastifyPlugin } from './http/fastify.ts';
export type {
  Act,
  ActKind,
  Admission,
  Antiforgery,
  Authorize,
  JobsDashboardOptions,
  RecordAct,
  Visitor,
  Wish,
} from './options.ts';
export { sensitiveName } from './redact.ts';
