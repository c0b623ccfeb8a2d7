import type { IncomingMessage } from 'node:http';
import { problemEntry, problemType } from '@svc/contract';
import type { Executor } from '@svc/jobs';
import { type Act, createJobsDashboard, type JobsDashboard } from '@svc/jobs-dashboard';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { anonymousCaller, type Caller, isAdmin } from '../../platform/access/index.ts';
import type { Database, Queryable } from '../../platform/db/index.ts';
import { forbidden, type HttpAppOptions, helpBelow, unauthorized } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Actor, Audit } from '../audit/index.ts';
import { nameSchedules } from './schedule-names.ts';

/** Settings of the dashboard of background jobs. */
export type DashboardOptions = {
  /** Path outside `/svc`, such as `/warp`. */
  readonly prefix: string;
  /** Shows the page of the host's endpoints before their first call. Default: after the first call. */
  readonly observesEndpoints?: boolean;
};

type Gates = Pick<HttpAppOptions, 'isSetupOpen'> & {
  readonly authenticate: HttpAppOptions['authenticate'];
  readonly checkAntiforgery: HttpAppOptions['checkAntiforgery'];
};

const secureHeader = 'max-age=31536000; includeSubDomains';
const safeMethods = new Set(['GET', 'HEAD']);
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Audit event of each action. */
const eventOf: Readonly<Record<Act['kind'], `jobs.${string}`>> = {
  RequeueJobs: 'jobs.requeued',
  CancelJobs: 'jobs.cancelled',
  DeleteJobs: 'jobs.deleted',
  RunSchedule: 'jobs.schedule_run',
  PauseSchedule: 'jobs.schedule_paused',
  ResumeSchedule: 'jobs.schedule_resumed',
  PauseQueue: 'jobs.queue_paused',
  ResumeQueue: 'jobs.queue_resumed',
  LimitQueue: 'jobs.queue_limited',
};

/** Job ids stored per audit event. A bulk action stores its filter and count instead. */
const idsKept = 50;

/**
 * Creates the dashboard of background jobs for signed-in Admins. It uses the same gates and the same audit as all other
 * routes.
 */
export function createJobDashboard(deps: {
  readonly options: DashboardOptions;
  /** Path of the mounted service. Links of the dashboard's pages start with it. */
  readonly basePath: string;
  readonly database: Database;
  readonly audit: Audit;
  readonly log: Logger;
}): {
  readonly plugin: (gates: Gates) => (app: FastifyInstance) => void;
  readonly close: () => Promise<void>;
} {
  const { basePath } = deps;
  const { prefix, observesEndpoints } = deps.options;
  // Contains only requests that have passed the gates.
  const admitted = new WeakMap<IncomingMessage, Actor & { readonly caller: Caller }>();

  const record = async (act: Act, transaction: Executor): Promise<void> => {
    const by = admitted.get(act.request) ?? { caller: anonymousCaller };
    await deps.audit.record(transaction as unknown as Queryable, {
      event: eventOf[act.kind],
      by,
      detail: {
        ...(act.jobIds && { count: act.jobIds.length, jobIds: act.jobIds.slice(0, idsKept) }),
        ...(act.scheduleKey !== undefined && { scheduleKey: act.scheduleKey }),
        ...(act.queue !== undefined && { queue: act.queue }),
        ...act.detail,
      },
    });
  };

  const dashboard: JobsDashboard = createJobsDashboard({
    database: { pool: deps.database.pool },
    prefix: basePath + prefix,
    title: 'Background jobs',
    ...(observesEndpoints !== undefined && { observesEndpoints }),
    homeUrl: `${basePath}/svc/home`,
    antiforgery: { url: `${basePath}/svc/api/csrf`, header: 'X-XSRF-TOKEN' },
    logger: deps.log,
    problemKind: (code) => ({
      type: helpBelow(basePath, problemType(code)),
      title: problemEntry(code).title,
    }),
    audit: record,
    nameSchedules: (keys) => nameSchedules(deps.database, keys),
    authorize: (request) => {
      const actor = admitted.get(request);
      return actor ? { kind: 'Admitted', name: actor.caller.userName } : { kind: 'Refused', status: 401 };
    },
  });

  const pass = async (request: FastifyRequest, reply: FastifyReply, gates: Gates): Promise<unknown> => {
    if (await gates.isSetupOpen()) {
      return reply.header('cache-control', 'no-store').redirect('/svc/setup', 302);
    }
    const caller = await gates.authenticate(request);
    request.svc.caller = caller;
    const isChange = !safeMethods.has(request.method);
    if (caller.kind === 'anonymous') {
      const isPage = !isChange && !request.url.startsWith(`${prefix}/api`);
      if (!isPage) throw unauthorized();
      return reply
        .header('cache-control', 'no-store')
        .redirect(`/svc/login?returnTo=${encodeURIComponent(request.url)}`, 302);
    }
    const isPerson = caller.kind === 'session' || caller.kind === 'host';
    if (!isPerson || !isAdmin(caller) || caller.mustChangePassword) {
      throw forbidden('permission-required', 'The dashboard of the jobs is open to signed-in Admins only.');
    }
    if (isChange) gates.checkAntiforgery(request, caller);
    const { origin, traceId } = request.svc;
    admitted.set(request.raw, { caller, clientAddress: origin.address, traceId });
    if (origin.isSecure) reply.raw.setHeader('strict-transport-security', secureHeader);
    reply.raw.setHeader('trace-id', traceId);
    // The dashboard sends the response from here on, and Fastify does not read the body.
    reply.hijack();
    request.raw.url = basePath + request.url;
    dashboard.handle(request.raw, reply.raw);
    return undefined;
  };

  return {
    plugin: (gates) => (app) => {
      for (const url of [prefix, `${prefix}/*`]) {
        app.route({
          method: methods,
          url,
          onRequest: (request, reply) => pass(request, reply, gates),
          handler: () => undefined,
        });
      }
    },
    close: dashboard.close,
  };
}
