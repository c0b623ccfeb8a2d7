import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EmailAdapter } from '@svc/channels';
import type { EndpointDeclaration, EngineOptions, OnMigrationProgress } from '@svc/jobs';
import type pg from 'pg';
import { openInfrastructure } from './compose/infrastructure.ts';
import { closeModules, startModules } from './compose/module.ts';
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

/** Timeouts and limits of realtime that differ from the defaults. */
export type RealtimeOptions = { readonly hub?: Partial<HubLimits>; readonly events?: EventsOptions };

/** Options of the embedding application. */
export type SvcOptions = {
  /** All settings, from `loadConfig`. */
  readonly config: Config;
  /** Connection to the metadata database: PostgreSQL 15 or newer. */
  readonly database: pg.ClientConfig;
  /**
   * True: the host has checked the database, as `doctor` does. Default false: `createSvc` checks it before it
   * writes. It refuses a database whose connections are no sessions of the server, such as those of a
   * transaction-pooling proxy.
   */
  readonly isDatabaseChecked?: boolean;
  readonly log?: Logger;
  readonly clock?: Clock;
  /** Maps the host's own errors to problems. */
  readonly errorMapping?: ErrorMapping;
  /**
   * The host's own authentication, called for each request before every other method. A host with its own sign-in
   * also sets `Svc:UserManagement:Enabled` to false.
   */
  readonly principal?: PrincipalOf;
  /**
   * Members of projects among the host's principals. Without it, and without stored users, projects remain open,
   * because a restricted one could have no members.
   */
  readonly memberships?: MembershipSource;
  /**
   * The host's authorization. It decides if an API key may act with Execute for its owner. The result is cached for
   * 5 s. To deny, return `{ refusal }`, never false: the caller gets this reason. A function that fails refuses.
   * Default: only the owner's role decides.
   */
  readonly mayKeyExecute?: ExecuteConsent;
  /**
   * Receives the first-run setup token if none is configured and the setup is open. Default: a line on the error
   * stream. It must never reach a log.
   */
  readonly onSetupToken?: (token: string) => void;
  /**
   * Receives the progress of schema migrations: file, position, duration. It must not throw. Default: lines in the
   * log.
   */
  readonly onMigration?: OnMigrationProgress;
  /**
   * Documents of the host, such as a data dictionary. They are imported into projects at start and every quarter of
   * an hour, for their readers. Default: only the folders of `Svc:Documents`.
   */
  readonly documents?: readonly DocumentSource[];
  /** Sends email for recipients of that type. Without it, such recipients are refused. */
  readonly email?: EmailAdapter;
  /**
   * The host's own inbox: a webhook that displays deliveries. The pages offer it to users who may add recipients.
   * The settings must permit deliveries to it. Default: none.
   */
  readonly inbox?: InboxOptions;
  /** The proxy for `Svc:Notifications:UseSystemProxy`. Default: from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
  readonly systemProxy?: SystemProxySettings;
  /** Timing of the job engine, such as the lease of a lost worker's jobs. Default: the engine's own. */
  readonly jobs?: EngineOptions;
  /** Timeouts and limits of the realtime hub. Default: its own. */
  readonly realtime?: RealtimeOptions;
  /** Replaces the tools of the MCP endpoint. Only for tests of the protocol. */
  readonly mcpServing?: ServingOverride;
  /** The built UI. Without it, `/svc` has no pages. */
  readonly pages?: PagesOptions;
  /**
   * The host's own HTTP endpoints, declared with `answeringEndpoint` or `enqueueingEndpoint`. They are served if
   * `handle` gets a `next`, and their calls are recorded for the job dashboard. The service does not authenticate
   * their callers. Default: none.
   */
  readonly endpoints?: readonly EndpointDeclaration[];
  /** Destination of metrics and spans, such as the host's OpenTelemetry SDK. Default: no measurement. */
  readonly telemetry?: TelemetryProviders;
  /** The dashboard of the background jobs, for signed-in Admins. Without it, there is no dashboard. */
  readonly dashboard?: DashboardOptions;
};

/** The service, for mounting into a Node HTTP server. */
export type Svc = {
  /**
   * Node request handler. Paths outside the service go to `next`, or answer 404 without one. In a process without
   * the role Web, this applies to all paths.
   */
  readonly handle: (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;
  /**
   * Handler of the server's `upgrade` event, for the WebSockets of the realtime hub. Returns false if the path is
   * not the service's; the host then handles the socket. Without this handler, clients of the hub use server-sent
   * events or long polling.
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** True while no administrator exists. */
  readonly isSetupOpen: () => Promise<boolean>;
  /** True if the metadata database answers, and refused no write in the last 10 s because its disk is full. */
  readonly isReady: () => Promise<boolean>;
  /** The demo project. The host installs and removes it. */
  readonly demo: Demo;
  /**
   * Re-encrypts all stored secrets under the current key: `Svc:EncryptionKey` is the new one, and
   * `Svc:PreviousEncryptionKeys` are the earlier ones. May be interrupted and repeated at any time.
   */
  readonly rotateSecrets: (options?: {
    readonly onProgress?: (progress: RotationProgress) => void;
    readonly signal?: AbortSignal;
  }) => Promise<RotationReport>;
  /** Records defined in files. The process applies them at its start and by its commands. */
  readonly provisioning: Provisioning;
  readonly start: () => Promise<void>;
  /** Stops background work and closes every connection. */
  readonly close: () => Promise<void>;
};

/**
 * Reads the settings as `createSvc` does, and opens nothing.
 *
 * @returns a message for each fault, which names the key of the setting.
 */
export const checkSettings = (config: Config): readonly string[] =>
  faultsOfSettings(config, createLog('silent'));

/** Creates the service: brings the database's schema up to date and composes all modules. It does not listen. */
export async function createSvc(options: SvcOptions): Promise<Svc> {
  const infra = await openInfrastructure(options);
  const service = await composeService(infra, options).catch(async (error: unknown) => {
    await infra.close?.();
    throw error;
  });
  const { app, modules } = service;
  const { basePath } = infra.settings.addresses;
  const { isWeb } = infra.settings.process;
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
        () => !infra.room.isFull(),
        () => false,
      ),
    demo: service.demo,
    rotateSecrets: service.rotateSecrets,
    provisioning: service.provisioning,
    start: () =>
      startModules(modules, (start) =>
        whileDatabaseAway(start, {
          onWait: ({ error, attempt, retryInMs }) =>
            infra.log.warn(
              { err: error, attempt, retryInMs },
              'the database is unavailable during the start',
            ),
        }),
      ),
    close: () => closeModules(modules),
  };
}

const sendNotFound = (response: ServerResponse): void => {
  const problem = toProblem(new Refusal('not-found'), { basePath: '' });
  response
    .writeHead(problem.status, { 'content-type': 'application/problem+json' })
    .end(JSON.stringify(problem));
};

/**
 * Routers that mount a handler below a path remove the path from the URL, and store the complete URL in
 * `originalUrl`.
 */
const wholeUrlOf = (request: IncomingMessage & { readonly originalUrl?: unknown }): string =>
  typeof request.originalUrl === 'string' ? request.originalUrl : (request.url ?? '/');

/**
 * Returns true for paths of the service: `/svc`, the discovery documents, the OpenAPI document, the dashboard, and
 * configured paths.
 */
const isOurs = (url: string, ownPaths: ReadonlySet<string>, dashboardPrefix: string | undefined): boolean => {
  const path = url.split('?')[0] ?? '';
  const isDashboard =
    dashboardPrefix !== undefined && (path === dashboardPrefix || path.startsWith(`${dashboardPrefix}/`));
  return isDashboard || /^\/(svc|\.well-known|openapi)(\/|$)/.test(path) || ownPaths.has(path);
};
