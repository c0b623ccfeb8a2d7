import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EmailAdapter } from '@svc/channels';
import type { EngineOptions } from '@svc/jobs';
import type pg from 'pg';
import manifest from '../package.json' with { type: 'json' };
import type { ReadableWithoutBypass } from './domains/api-keys/index.ts';
import type { Demo } from './domains/demo/index.ts';
import { createHealthService, healthRoutes } from './domains/health/index.ts';
import type { PrincipalOf } from './domains/host-sign-in/index.ts';
import { reachOf, readableProjects } from './domains/projects/index.ts';
import type { OnFirstAdministrator } from './domains/setup/index.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import type { Config } from './platform/config/index.ts';
import { createKeyRing, randomToken, systemRandomness } from './platform/crypto/index.ts';
import { createDatabase, migrate, openPool } from './platform/db/index.ts';
import {
  createHttpApp,
  type ErrorMapping,
  openApiRoute,
  type Route,
  serveUpgrade,
} from './platform/http/index.ts';
import { createLog, type Logger } from './platform/log/index.ts';
import { createOutbound } from './platform/outbound/index.ts';
import { type PagesOptions, pagesPlugin } from './platform/pages/index.ts';
import { checkIdentitySettings, composeIdentity } from './svc-identity.ts';
import { composeRealtime, type RealtimeOptions } from './svc-realtime.ts';
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
   * Told the first-run setup token when none is configured and the setup is open. Default: a line on the error
   * stream. It must never reach a log.
   */
  readonly onSetupToken?: (token: string) => void;
  /** Sends email for recipients of that type; without it they are refused. */
  readonly email?: EmailAdapter;
  /** Times of the job engine, such as how long a lost worker's jobs stay with it. Default: the engine's own. */
  readonly jobs?: EngineOptions;
  /** Times and bounds of the realtime hub. Default: its own. */
  readonly realtime?: RealtimeOptions;
  /** The built UI; without it there are no pages under `/svc`. */
  readonly pages?: PagesOptions;
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
  /** Starts background work. */
  readonly start: () => Promise<void>;
  /** Stops background work and lets go of every connection. */
  readonly close: () => Promise<void>;
};

/** Makes the service: brings the database's schema up to date and builds everything; listens nowhere by itself. */
export async function createSvc(options: SvcOptions): Promise<Svc> {
  const { config } = options;
  const clock = options.clock ?? systemClock;
  const log = options.log ?? createLog(config['Svc:Logging:Level']);
  const identitySettings = checkIdentitySettings(config, log);
  const pool = openPool({
    connection: options.database,
    max: config['Svc:Database:PoolSize'],
    onIdleError: (error) => log.warn({ err: error }, 'an idle connection to the metadata database failed'),
  });
  const client = await pool.connect();
  try {
    await migrate(client);
  } finally {
    client.release();
  }
  const database = createDatabase(pool);
  const health = createHealthService(options.database);
  const random = systemRandomness;
  const keys = createKeyRing({
    // Without a configured key nothing that is sealed outlives the process.
    encryptionKey: config['Svc:EncryptionKey'] ?? randomToken(random),
    previousEncryptionKeys: config['Svc:PreviousEncryptionKeys'],
  });
  const outbound = createOutbound({
    trustedCertificates: config['Svc:Notifications:TrustedCertificates'],
    log: (detail) => log.warn({ ...detail }, 'a connection to the outside failed'),
  });
  // What other domains do in the transaction of the first administrator; filled once they are put together.
  const onFirstAdministrator: OnFirstAdministrator[] = [];
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
    outbound,
    principal: options.principal,
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
    outbound,
    notify: realtime.notify,
    jobs: options.jobs,
  });
  onFirstAdministrator.push(work.demo.takeOver);

  const { sessions, trustedHosts } = identity;
  const routes: Route[] = [
    ...healthRoutes(health),
    ...identity.routes,
    ...work.routes,
    ...realtime.openHub({ sessions, trustedHosts, history: work.history }),
  ];
  const ownPaths = new Set(
    routes.map(({ endpoint }) => endpoint.path).filter((path) => !path.startsWith('/svc/')),
  );
  const app = await createHttpApp({
    routes,
    log,
    bodyLimitBytes: config['Svc:Http:BodyLimitBytes'],
    knownProxies: config['Svc:ForwardedHeaders:KnownProxies'],
    authenticate: identity.authenticate,
    checkAntiforgery: identity.checkAntiforgery,
    isSetupOpen: identity.isSetupOpen,
    onDenied: identity.onDenied,
    ...(options.errorMapping && { errorMapping: options.errorMapping }),
    plugins: [
      openApiRoute({
        endpoints: routes.map(({ endpoint }) => endpoint),
        version: manifest.version,
        publicBaseUrl: config['Svc:PublicBaseUrl'],
      }),
      ...(options.pages ? [pagesPlugin(options.pages)] : []),
    ],
  });

  return {
    handle: (request, response, next) => {
      if (next && !isOurs(request.url ?? '/', ownPaths)) next();
      else app.routing(request, response);
    },
    upgrade: (request, socket, head) => {
      if (!isOurs(request.url ?? '/', ownPaths)) return false;
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
    start: async () => {
      await identity.start();
      realtime.start();
      await work.start();
    },
    close: async () => {
      await realtime.closeHub();
      await app.close();
      await work.close();
      await realtime.close();
      await identity.close();
      await outbound.close();
      await health.close();
      await pool.end();
    },
  };
}

const readableWithoutBypass: ReadableWithoutBypass = async (executor, caller, projectIds) => {
  const readable = readableProjects(reachOf(caller, { withoutBypass: true }), 2);
  const { rows } = await executor.query<{ project_id: number }>(
    `select r.project_id from (${readable.text}) r where r.project_id = any($1::int[])`,
    [projectIds, ...readable.values],
  );
  return rows.map((row) => row.project_id);
};

/** Under `/svc`, the discovery documents, the OpenAPI document, and paths of routes that are elsewhere by settings. */
const isOurs = (url: string, ownPaths: ReadonlySet<string>): boolean =>
  /^\/(svc|\.well-known|openapi)(\/|\?|$)/.test(url) || ownPaths.has(url.split('?')[0] ?? '');

const printSetupToken = (token: string): void => {
  process.stderr.write(`First-run setup token: ${token}\n`);
};
