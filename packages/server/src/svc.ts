import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EmailAdapter } from '@svc/channels';
import type { EndpointDeclaration, EngineOptions, OnMigrationProgress } from '@svc/jobs';
import type pg from 'pg';
import { openGround } from './compose/ground.ts';
import { closeParts, startParts } from './compose/part.ts';
import { composeService } from './compose/service.ts';
import { faultsOfSettings } from './compose/settings/index.ts';
import type { ExecuteConsent } from './domains/api-keys/index.ts';
import type { Demo } from './domains/demo/index.ts';
import type { MembershipSource, PrincipalOf } from './domains/host-sign-in/index.ts';
import type { DocumentSource } from './domains/imported-documents/index.ts';
import type { DashboardOptions } from './domains/job-dashboard/index.ts';
import type { Provisioning } from './domains/provisioning/index.ts';
import type { InboxOptions } from './domains/recipients/index.ts';
import type { RotationProgress, RotationReport } from './domains/secrets/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Config, SystemProxySettings } from './platform/config/index.ts';
import { whileDatabaseAway } from './platform/db/index.ts';
import type { EventsOptions } from './platform/events/index.ts';
import { type ErrorMapping, Refusal, serveUpgrade, toProblem, withoutBase } from './platform/http/index.ts';
import type { HubLimits } from './platform/hub/index.ts';
import { createLog, type Logger } from './platform/log/index.ts';
import type { ServingOverride } from './platform/mcp/index.ts';
import type { PagesOptions } from './platform/pages/index.ts';
import type { TelemetryProviders } from './platform/telemetry/index.ts';

/** Times and bounds of realtime, where they are not the usual ones. */
export type RealtimeOptions = { readonly hub?: Partial<HubLimits>; readonly events?: EventsOptions };

/** What the embedding application decides. */
export type SvcOptions = {
  /** All settings; made by `loadConfig`. */
  readonly config: Config;
  /** Connection to the metadata database: PostgreSQL 15 or newer. */
  readonly database: pg.ClientConfig;
  /**
   * True: the host has checked the database, as `doctor` does. Default false: `createSvc` checks it before it writes, and
   * refuses a database whose connections are no sessions of the server, such as those of a proxy that pools by
   * transaction.
   */
  readonly isDatabaseChecked?: boolean;
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
   * The host's authorization, asked whether an API key may act with Execute for its owner; the answer holds for 5 s.
   * False never: `{ refusal }` says why, and the caller is told. A function that fails refuses. Default: the owner's
   * role decides alone.
   */
  readonly mayKeyExecute?: ExecuteConsent;
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
  /**
   * Documents of the host's own, such as a data dictionary, that are imported into projects at start and every quarter
   * of an hour; people read them there. Default: only the folders of `Svc:Documents`.
   */
  readonly documents?: readonly DocumentSource[];
  /** Sends email for recipients of that type; without it they are refused. */
  readonly email?: EmailAdapter;
  /**
   * An inbox of the host's own: a webhook that shows what arrives. Whoever may add recipients is offered it in the
   * pages; the settings have to let deliveries reach it. Default: none.
   */
  readonly inbox?: InboxOptions;
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
  /**
   * HTTP endpoints of the host's own, declared with `answeringEndpoint` or `enqueueingEndpoint`. They are served beside
   * the service, where `handle` has a `next`, and their calls are recorded for the job dashboard. Nobody is asked who
   * calls. Default: none.
   */
  readonly endpoints?: readonly EndpointDeclaration[];
  /** Where measurements and spans go, such as an OpenTelemetry SDK of the host's. Default: nothing is measured. */
  readonly telemetry?: TelemetryProviders;
  /** The dashboard of the background jobs, for signed-in Admins; without it there is none. */
  readonly dashboard?: DashboardOptions;
};

/** The service, to be mounted into a Node HTTP server. */
export type Svc = {
  /**
   * Node request handler. Paths that are not the service's go to `next`, or answer 404 without one; in a process without
   * the role Web all paths do.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /**
   * Handler of the server's `upgrade` event, which the realtime hub's WebSockets come by; returns false when the path
   * is not the service's, so that the host may do with the socket as it likes. Without it clients of the hub use
   * server-sent events or long polling.
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** True while no administrator exists. */
  readonly isSetupOpen: () => Promise<boolean>;
  /** True when the metadata database answers, and refused no write in the last 10 s because its disk is full. */
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
  /** Records as files, applied by the process itself: as it starts, and by its commands. */
  readonly provisioning: Provisioning;
  /** Starts background work. */
  readonly start: () => Promise<void>;
  /** Stops background work and lets go of every connection. */
  readonly close: () => Promise<void>;
};

/**
 * Reads the settings as `createSvc` does, and opens nothing.
 *
 * @returns a message for each fault, which names the key of the setting.
 */
export const checkSettings = (config: Config): readonly string[] =>
  faultsOfSettings(config, createLog('silent'));

/** Makes the service: brings the database's schema up to date and builds everything; listens nowhere by itself. */
export async function createSvc(options: SvcOptions): Promise<Svc> {
  const ground = await openGround(options);
  const service = await composeService(ground, options).catch(async (error: unknown) => {
    await ground.close?.();
    throw error;
  });
  const { app, parts } = service;
  const { basePath } = ground.settings.addresses;
  const { isWeb } = ground.settings.process;
  const isOwn = (url: string): boolean => isOurs(url, service.ownPaths, options.dashboard?.prefix);

  return {
    handle: (request, response, next) => {
      if (!isWeb) return next ? next() : sendNotFound(response);
      const url = withoutBase(wholeUrlOf(request), basePath);
      if (next && !isOwn(url)) {
        const { hostEndpoints } = service;
        return hostEndpoints ? hostEndpoints.serve(request, response, url, next) : next();
      }
      request.url = url;
      return app.routing(request, response);
    },
    upgrade: (request, socket, head) => {
      const url = withoutBase(wholeUrlOf(request), basePath);
      if (!isWeb || !isOwn(url)) return false;
      request.url = url;
      serveUpgrade(app, { request, socket, head, basePath });
      return true;
    },
    isSetupOpen: service.isSetupOpen,
    isReady: () =>
      service.checkHealth().then(
        () => !ground.room.isFull(),
        () => false,
      ),
    demo: service.demo,
    rotateSecrets: service.rotateSecrets,
    provisioning: service.provisioning,
    start: () =>
      startParts(parts, (start) =>
        whileDatabaseAway(start, {
          onWait: ({ error, attempt, retryInMs }) =>
            ground.log.warn(
              { err: error, attempt, retryInMs },
              'the database is unavailable during the start',
            ),
        }),
      ),
    close: () => closeParts(parts),
  };
}

const sendNotFound = (response: ServerResponse): void => {
  const problem = toProblem(new Refusal('not-found'), { basePath: '' });
  response
    .writeHead(problem.status, { 'content-type': 'application/problem+json' })
    .end(JSON.stringify(problem));
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
