import type { IncomingMessage, ServerResponse } from 'node:http';
import { createJobs, JobsError } from '@svc/jobs';
import { endpointRoutes } from './api/endpoints.ts';
import { jobActRoutes } from './api/job-acts.ts';
import { jobRoutes } from './api/jobs.ts';
import { overviewRoutes } from './api/overview.ts';
import { scheduleRoutes } from './api/schedules.ts';
import { serverRoutes } from './api/servers.ts';
import { traceRoutes } from './api/traces.ts';
import { isAway, isBadValue, openDb } from './db.ts';
import { type FastifyPlugin, fastifyPlugin } from './http/fastify.ts';
import { sendPage } from './http/pages.ts';
import { isBelow, type Place, placeOf, readBody, refuseCrossSite } from './http/request.ts';
import { sendElsewhere, sendJson, sendProblem } from './http/respond.ts';
import { createRouter } from './http/router.ts';
import type { JobsDashboardOptions, Visitor } from './options.ts';
import { type DashboardCode, invalid, Problem } from './problem.ts';
import { sensitiveName } from './redact.ts';
import { keepSamples } from './samples.ts';

/** Dashboard for a database of jobs, mountable in any Node HTTP server. */
export type JobsDashboard = {
  /** Node request handler. Requests outside the prefix are passed to `next`, or receive 404 without one. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /** Fastify plugin of the same handler, to be registered without a prefix. */
  readonly fastify: FastifyPlugin;
  /** Stops sampling and closes the pool that the dashboard opened. */
  readonly close: () => Promise<void>;
};

const routes = [
  ...overviewRoutes,
  ...jobRoutes,
  ...jobActRoutes,
  ...traceRoutes,
  ...scheduleRoutes,
  ...serverRoutes,
  ...endpointRoutes,
];
const findRoute = createRouter(routes);
const prefixPattern = /^(\/[A-Za-z0-9._~-]+)+$/;
const sampleEveryMs = 30_000;
const safeMethods = new Set(['GET', 'HEAD']);
const challenge = { 401: 'Sign in to see the dashboard.', 403: 'You may not see the dashboard.' } as const;

/**
 * Creates a dashboard: reads, actions and pages for a database of jobs, for visitors that `authorize` admits. It runs
 * no jobs and needs no worker or observer in its process. The database must be migrated (`migrateJobs`).
 *
 * @throws Error on an invalid prefix or schema.
 */
export function createJobsDashboard(options: JobsDashboardOptions): JobsDashboard {
  const { prefix, logger } = options;
  if (!prefixPattern.test(prefix)) {
    throw new Error(`The prefix of the dashboard must be a path such as /jobs: ${JSON.stringify(prefix)}.`);
  }
  const schema = options.schema ?? 'svc_jobs';
  const db = openDb(options.database, schema, (error) =>
    logger?.warn({ error: error.message }, 'a connection of the dashboard was lost'),
  );
  // Never started: the dashboard reads and changes rows, but runs no jobs.
  const jobs = createJobs({ pool: db.pool, schema, ...(logger && { logger }) });
  const isSensitive = options.isSensitive ?? sensitiveName;
  const samples = keepSamples(db, options.sampleEveryMs ?? sampleEveryMs);

  const answerApi = async (request: IncomingMessage, place: Place, visitor: Visitor): Promise<unknown> => {
    const method = request.method ?? 'GET';
    const { route, params } = findRoute(method, place.segments.slice(1));
    const mayAct = options.isReadOnly !== true && visitor.isReadOnly !== true;
    const isChange = route.method === 'POST';
    if (isChange) {
      refuseCrossSite(request);
      if (!mayAct)
        throw new Problem('dashboard-read-only', 'You may look at the dashboard, but not change anything.');
    }
    const body = isChange ? await readBody(request) : {};
    const { query } = place;
    return route.answer({
      db,
      jobs,
      options,
      samples,
      isSensitive,
      visitor,
      mayAct,
      request,
      params,
      query,
      body,
    });
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const place = placeOf(request, prefix);
    const isPage = place.segments[0] !== 'api';
    const isChange = !safeMethods.has(request.method ?? 'GET');
    const admission = await options.authorize(request, { isChange, isPage });
    if (admission.kind === 'Redirected') {
      sendElsewhere(response, admission.location);
      return;
    }
    if (admission.kind === 'Refused') {
      const code: DashboardCode = admission.status === 401 ? 'unauthorized' : 'forbidden';
      throw new Problem(code, admission.detail ?? challenge[admission.status]);
    }
    if (isPage) sendPage(request, response, prefix, place.segments);
    else sendJson(request, response, await answerApi(request, place, admission));
  };

  const toProblem = (error: unknown): Problem => {
    if (error instanceof Problem) return error;
    if (error instanceof JobsError) return invalid(error.message);
    if (isBadValue(error)) return invalid('A value cannot be compared with what is stored.');
    logger?.error({ error: error instanceof Error ? error.message : 'unknown' }, 'the dashboard failed');
    if (isAway(error)) {
      const detail = 'The database of the jobs does not answer at the moment. Try again in a few seconds.';
      return new Problem('database-away', detail, { headers: { 'retry-after': '5' } });
    }
    return new Problem('internal', 'Something went wrong on our side. The log of the process tells what.');
  };

  const handle: JobsDashboard['handle'] = (request, response, next) => {
    if (!isBelow(request, prefix)) {
      if (next) next();
      else
        sendProblem(
          request,
          response,
          new Problem('not-found', 'There is nothing here.'),
          options.problemKind,
        );
      return;
    }
    serve(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendProblem(request, response, toProblem(error), options.problemKind);
    });
  };

  const close = async (): Promise<void> => {
    samples.stop();
    await db.close();
  };

  return { handle, fastify: fastifyPlugin(prefix, handle), close };
}
