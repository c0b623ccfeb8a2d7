import { runInJobContext, traceIdFromHex } from '@svc/jobs';
import {
  createHttpApp,
  createIdempotencyStore,
  type InCourseOf,
  openApiRoute,
  type Route,
} from '../platform/http/index.ts';
import { helpPlugin, pagesPlugin } from '../platform/pages/index.ts';
import type { SvcOptions } from '../svc.ts';
import type { Gates } from './identity/callers.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Module } from './module.ts';
import type { DashboardModule } from './overview/dashboard.ts';

export type HttpModule = Module & { readonly app: Awaited<ReturnType<typeof createHttpApp>> };

/** Jobs of a request store its trace and origin. Nothing else of the request is recorded in them (DL-9-02). */
const inCourseOf: InCourseOf = ({ method, route, caller, traceId, spanId }, work) =>
  runInJobContext(
    {
      traceId: traceIdFromHex(traceId),
      origin: { method, route, userName: caller.userName },
      ...(spanId !== undefined && { spanId }),
    },
    work,
  );

/** Composes the routes with their gates, the OpenAPI document, the pages, and the dashboard. */
export async function composeHttp(
  infra: Infrastructure,
  deps: {
    readonly routes: readonly Route[];
    readonly version: string;
    readonly gates: Gates;
    readonly dashboard: DashboardModule | undefined;
    readonly options: Pick<SvcOptions, 'errorMapping' | 'pages' | 'dashboard'>;
  },
): Promise<HttpModule> {
  const { addresses } = infra.settings;
  const { basePath } = addresses;
  const { errorMapping, pages } = deps.options;
  const prefix = deps.options.dashboard?.prefix;
  const endpoints = deps.routes.map(({ endpoint }) => endpoint);
  const idempotency = createIdempotencyStore(infra);
  const app = await createHttpApp({
    routes: deps.routes,
    log: infra.log,
    bodyLimitBytes: addresses.bodyLimitBytes,
    knownProxies: addresses.knownProxies,
    basePath,
    ...deps.gates,
    ...(errorMapping && { errorMapping }),
    inCourseOf,
    telemetry: infra.telemetry,
    lateReads: infra.lateReads,
    idempotency,
    plugins: [
      openApiRoute({ endpoints, version: deps.version, baseUrl: addresses.openApiBase }),
      helpPlugin({ basePath }),
      ...(pages
        ? [
            pagesPlugin({
              ...pages,
              basePath,
              ...(prefix !== undefined && { jobsDashboard: basePath + prefix }),
            }),
          ]
        : []),
      ...(deps.dashboard ? [deps.dashboard.plugin] : []),
    ],
  });
  return { app, sweep: idempotency.sweep, close: () => app.close() };
}
