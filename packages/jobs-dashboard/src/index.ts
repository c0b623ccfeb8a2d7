/**
 * A dashboard for jobs: what waits, runs, failed and why; requests to exposed endpoints; acts on all of it.
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
