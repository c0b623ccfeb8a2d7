import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EmailAdapter } from '@svc/channels';
import type { Endpoint } from '@svc/contract';
import type { EngineOptions, OnMigrationProgress } from '@svc/jobs';
import type pg from 'pg';
import manifest from '../package.json' with { type: 'json' };
import type { ReachableProjects, ReadableWithoutBypass } from './domains/api-keys/index.ts';
import type { Demo } from './domains/demo/index.ts';
import { createHealthService, healthRoutes } from './domains/health/index.ts';
import type { MembershipSource, PrincipalOf } from './domains/host-sign-in/index.ts';
import { reachOf, readableProjects, rightOfLevel } from './domains/projects/index.ts';
import { type RotationProgress, type RotationReport, refuseLostKey } from './domains/secrets/index.ts';
import type { OnFirstAdministrator } from './domains/setup/index.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import { type Config, readSystemProxy, type SystemProxySettings } from './platform/config/index.ts';
import { createKeyRing, randomToken, systemRandomness } from './platform/crypto/index.ts';
import { createDatabase, openPool } from './platform/db/index.ts';
import {
  createHttpApp,
  type ErrorMapping,
  openApiRoute,
  type Route,
  serveUpgrade,
  withoutBase,
} from './platform/http/index.ts';
import { createLog, type Logger } from './platform/log/index.ts';
import type { ServingOverride } from './platform/mcp/index.ts';
import { createOutbound } from './platform/outbound/index.ts';
import { type PagesOptions, pagesPlugin } from './platform/pages/index.ts';
import { composeDashboard, type DashboardOptions } from './svc-dashboard.ts';
import { checkIdentitySettings, composeIdentity } from './svc-identity.ts';
import { composeMcp } from './svc-mcp.ts';
import { composeRealtime, type RealtimeOptions } from './svc-realtime.ts';
import { migrateSchemas, migrationLog } from './svc-schemas.ts';
import { composeWork } from './svc-work.ts';

/** What the embedding application decides. */
export type SvcOptions = {
  /** All settings; made by `loadConfig`. */
  readonly config: Config;
  /** Connection to the metadata database: PostgreSQL 15 or newer. */
  readonly database: pg.ClientConfig;
  readonly log?: Logger;
  readonly clock?: Clock;
  /** Turns errors of the host's own kinds into problems. */
  readonly errorMapping?: ErrorMapping;
  /**
   * The host's own authentication, asked about each request before every other way. A host that signs people in
   * sets `Svc:UserManagement:Enabled` to false as well.
   */
  readonly principal?: PrincipalOf;
  /**
   * Members of projects among the host's principals. Without it, and without the service's own users, projects stay
   * open: nobody could be a member of a restricted one.
   */
  readonly memberships?: MembershipSource;
  /**
   * Told the first-run setup token when none is configured and the setup is open. Default: a line on the error
   * stream. It must never reach a log.
   */
  readonly onSetupToken?: (token: string) => void;
  /**
   * Told while the database's schema is brought up to date: which file, how far, how long. It must not throw. Default:
   * lines in the log.
   */
  readonly onMigration?: OnMigrationProgress;
  /** Sends email for recipients of that type; without it they are refused. */
  readonly email?: EmailAdapter;
  /** The proxy for `Svc:Notifications:UseSystemProxy`. Default: as `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` say. */
  readonly systemProxy?: SystemProxySettings;
  /** Times of the job engine, such as how long a lost worker's jobs stay with it. Default: the engine's own. */
  readonly jobs?: EngineOptions;
  /** Times and bounds of the realtime hub. Default: its own. */
  readonly realtime?: RealtimeOptions;
  /** Only for tests of the protocol: what the MCP endpoint serves in place of the tools. */
  readonly mcpServing?: ServingOverride;
  /** The built UI; without it there are no pages under `/svc`. */
  readonly pages?: PagesOptions;
  /** The dashboard of the background jobs, for signed-in Admins; without it there is none. */
  readonly dashboard?: DashboardOptions;
};

/** The service, to be mounted into a Node HTTP server. */
export type Svc = {
  /** Node request handler. Paths that are not the service's go to `next`, or answer 404 without one. */
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /**
   * Handler of the server's `upgrade` event, which the realtime hub's WebSockets come by; returns false when the path
   * is not the service's, so that the host may do with the socket as it likes. Without it clients of the hub use
   * server-sent events or long polling.
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** True while no administrator exists. */
  readonly isSetupOpen: () => Promise<boolean>;
  /** True when the metadata database answers. */
  readonly isReady: () => Promise<boolean>;
  /** The demo project; installed and removed by the host. */
  readonly demo: Demo;
  /**
   * Brings all stored secrets under the current key: `Svc:EncryptionKey` is the new one,
   * `Svc:PreviousEncryptionKeys` hold those before. May be stopped and run again at any time.
   */
  readonly rotateSecrets: (options?: {
    readonly onProgress?: (progress: RotationProgress) => void;
    readonly signal?: AbortSignal;
  }) => Promise<RotationReport>;
  /** Starts background work. */
  readonly start: () => Promise<void>;
  /** Stops background work and lets go of every connection. */
  readonly close: () => Promise<void>;
};

/** Makes the service: brings the database's schema up to date and builds everything; listens nowhere by itself. */
export async function createSvc(options: SvcOptions): Promise<Svc> {
  const { config } = options;
  const basePath = config['Svc:PathBase'] ?? '';
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(config['Svc:Logging:Level']);
  const identitySettings = checkIdentitySettings(config, log);
  await migrateSchemas(options.database, options.onMigration ?? migrationLog(log));
  const pool = openPool({
    connection: options.database,
    max: config['Svc:Database:PoolSize'],
    onIdleError: (error) => log.warn({ err: error }, 'an idle connection to the metadata database failed'),
  });
  const database = createDatabase(pool);
  if (config['Svc:EncryptionKey'] === undefined) await refuseLostKey(database);
  const health = createHealthService(options.database);
  const random = systemRandomness;
  const keys = createKeyRing({
    // Without a configured key nothing that is sealed outlives the process.
    encryptionKey: config['Svc:EncryptionKey'] ?? randomToken(random),
    previousEncryptionKeys: config['Svc:PreviousEncryptionKeys'],
  });
  const outbound = createOutbound({
    trustedCertificates: config['Svc:Notifications:TrustedCertificates'],
    proxy: options.systemProxy ?? readSystemProxy(),
    log: (detail) => log.warn({ ...detail }, 'a connection to the outside failed'),
  });
  // What other domains do in the transaction of the first administrator; filled once they are put together.
  const onFirstAdministrator: OnFirstAdministrator[] = [];
  const endpoints: Endpoint[] = [];
  const identity = composeIdentity({
    config,
    database,
    clock,
    random,
    log,
    keys,
    onSetupToken: options.onSetupToken ?? printSetupToken,
    onFirstAdministrator,
    readableWithoutBypass,
    reachableProjects,
    endpoints,
    outbound,
    email: options.email,
    principal: options.principal,
    memberships: options.memberships,
    settings: identitySettings,
  });
  const { audit } = identity;
  const realtime = composeRealtime({
    config,
    connection: options.database,
    database,
    clock,
    random,
    log,
    keys,
    options: options.realtime,
  });
  const work = await composeWork({
    config,
    connection: options.database,
    database,
    clock,
    random,
    log,
    keys,
    audit,
    email: options.email,
    hasMembers: hasMembers(options),
    outbound,
    notify: realtime.notify,
    jobs: options.jobs,
  });
  onFirstAdministrator.push(work.demo.takeOver);

  const dashboard =
    options.dashboard && composeDashboard({ options: options.dashboard, basePath, database, audit, log });
  const { sessions, trustedHosts } = identity;
  const mcp = composeMcp({
    config,
    database,
    log,
    audit,
    version: manifest.version,
    byKey: identity.byKey,
    mcpCallers: identity.mcpCallers,
    issuers: identitySettings.bearer?.issuers ?? [],
    data: work.data,
    servingOverride: options.mcpServing,
  });

  const routes: Route[] = [
    ...healthRoutes(health),
    ...identity.routes,
    ...work.routes,
    ...mcp.routes,
    ...realtime.openHub({ sessions, trustedHosts, history: work.history }),
  ];
  endpoints.push(...routes.map(({ endpoint }) => endpoint));
  const ownPaths = new Set(
    routes.map(({ endpoint }) => endpoint.path).filter((path) => !path.startsWith('/svc/')),
  );
  const app = await createHttpApp({
    routes,
    log,
    bodyLimitBytes: config['Svc:Http:BodyLimitBytes'],
    knownProxies: config['Svc:ForwardedHeaders:KnownProxies'],
    basePath,
    authenticate: identity.authenticate,
    checkAntiforgery: identity.checkAntiforgery,
    isSetupOpen: identity.isSetupOpen,
    onDenied: identity.onDenied,
    ...(options.errorMapping && { errorMapping: options.errorMapping }),
    plugins: [
      openApiRoute({
        endpoints: routes.map(({ endpoint }) => endpoint),
        version: manifest.version,
        baseUrl: openApiBaseOf(config),
      }),
      ...(options.pages
        ? [
            pagesPlugin({
              ...options.pages,
              basePath,
              ...(options.dashboard?.prefix !== undefined && {
                jobsDashboard: basePath + options.dashboard.prefix,
              }),
            }),
          ]
        : []),
      ...(dashboard ? [dashboard.plugin(identity)] : []),
    ],
  });

  return {
    handle: (request, response, next) => {
      const url = withoutBase(wholeUrlOf(request), basePath);
      if (next && !isOurs(url, ownPaths, options.dashboard?.prefix)) return next();
      request.url = url;
      return app.routing(request, response);
    },
    upgrade: (request, socket, head) => {
      const url = withoutBase(wholeUrlOf(request), basePath);
      if (!isOurs(url, ownPaths, options.dashboard?.prefix)) return false;
      request.url = url;
      serveUpgrade(app, { request, socket, head });
      return true;
    },
    isSetupOpen: async () => identity.isSetupOpen(),
    isReady: () =>
      health.check().then(
        () => true,
        () => false,
      ),
    demo: work.demo,
    rotateSecrets: work.secrets.rotate,
    start: async () => {
      await identity.start();
      realtime.start();
      await work.start();
    },
    close: async () => {
      await realtime.closeHub();
      await mcp.close();
      await app.close();
      await dashboard?.close();
      await work.close();
      await realtime.close();
      await identity.close();
      await outbound.close();
      await health.close();
      await pool.end();
    },
  };
}

/** Start of every path of the REST API: as the public sees it where that is known. */
function openApiBaseOf(config: Config): string {
  const publicBaseUrl = config['Svc:PublicBaseUrl'];
  const basePath = config['Svc:PathBase'];
  if (publicBaseUrl === undefined) return basePath ?? '/';
  return basePath === undefined ? publicBaseUrl : new URL(publicBaseUrl).origin + basePath;
}

/** Whether projects can have members: stored users, or those whom the host tells. */
const hasMembers = ({ config, memberships }: SvcOptions): boolean =>
  config['Svc:UserManagement:Enabled'] || memberships !== undefined;

const readableWithoutBypass: ReadableWithoutBypass = async (executor, caller, projectIds) => {
  const readable = readableProjects(reachOf(caller, { withoutBypass: true }), 2);
  const { rows } = await executor.query<{ project_id: number }>(
    `select r.project_id from (${readable.text}) r where r.project_id = any($1::int[])`,
    [projectIds, ...readable.values],
  );
  return rows.map((row) => row.project_id);
};

const reachableProjects: ReachableProjects = async (executor, caller) => {
  const readable = readableProjects(reachOf(caller), 1, ['p.name']);
  const { rows } = await executor.query<{ project_id: number; right_level: number; name: string }>(
    `select * from (${readable.text}) r order by r.name collate "C", r.project_id`,
    [...readable.values],
  );
  return rows.flatMap((row) => {
    const right = rightOfLevel(row.right_level);
    return right === null ? [] : [{ projectId: row.project_id, name: row.name, right }];
  });
};

/** Routers that mount a handler under a path cut it off the URL, and keep the whole one beside it. */
const wholeUrlOf = (request: IncomingMessage & { readonly originalUrl?: unknown }): string =>
  typeof request.originalUrl === 'string' ? request.originalUrl : (request.url ?? '/');

/** Under `/svc`, the discovery documents, the OpenAPI document, the dashboard, and paths that are elsewhere by settings. */
const isOurs = (url: string, ownPaths: ReadonlySet<string>, dashboardPrefix: string | undefined): boolean => {
  const path = url.split('?')[0] ?? '';
  const isDashboard =
    dashboardPrefix !== undefined && (path === dashboardPrefix || path.startsWith(`${dashboardPrefix}/`));
  return isDashboard || /^\/(svc|\.well-known|openapi)(\/|$)/.test(path) || ownPaths.has(path);
};

const printSetupToken = (token: string): void => {
  process.stderr.write(`First-run setup token: ${token}\n`);
};
