import { type Config, createSvc, loadConfig, type SvcOptions } from '@svc/server';
import { whileDatabaseAway } from '@svc/server/operations';
import { checkHostSettings } from './check-settings.ts';
import { callDemoEndpoints, demoEndpoints } from './demo/endpoints.ts';
import { startDemo } from './demo/index.ts';
import { startMail } from './email/index.ts';
import { encryptionKey } from './encryption-key.ts';
import { errorMapping } from './error-mapping.ts';
import { requireExternalDatabase, sayWait } from './external-database.ts';
import { startHttpServer } from './http-server.ts';
import { startInbox } from './inbox/index.ts';
import { listenersOf, requireFreePorts } from './listening/ports.ts';
import {
  builtInDatabase,
  externalDatabase,
  hasStoredSecrets,
  type MetadataDatabase,
} from './metadata-database.ts';
import { tellOfMigrations } from './migrations.ts';
import { provisionAtStart } from './provisioning.ts';
import { startMetricsServer, startTelemetry } from './telemetry/index.ts';
import { webFolder } from './web-folder.ts';

/** Path of the job dashboard for signed-in Admins. */
const dashboardPrefix = '/warp';

/** Options of the standalone process. */
export type StartOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Starts the demo project. Default true; needs the built-in database. */
  readonly withDemo: boolean;
  /** Writes one line of progress or of a URL to open. */
  readonly say: (line: string) => void;
};

/** A running standalone service. */
export type RunningHost = {
  readonly origin: string;
  readonly inboxUrl: string | undefined;
  /** URL of the metrics, if they are served. */
  readonly metricsUrl: string | undefined;
  readonly close: () => Promise<void>;
};

/**
 * Starts all components: database, demo, service, HTTP server. If a step fails, it stops the components that it has
 * started.
 */
export async function startHost(options: StartOptions): Promise<RunningHost> {
  const { say, env } = options;
  const started: (() => Promise<void>)[] = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of started.reverse()) await stop();
  };
  try {
    const configured = loadConfig({ env }).config;
    checkHostSettings(configured);
    const connectionString = configured['Svc:Database:ConnectionString'];
    const isExternal = connectionString !== undefined;
    const roles = configured['Svc:Host:Roles'];
    const isWeb = roles.includes('Web');
    const hasDemo = options.withDemo && !isExternal && isWeb;
    if (options.withDemo && !hasDemo) say('No demo: it needs the built-in database and the role Web.');
    say(isExternal ? 'Using the configured PostgreSQL ...' : 'Starting the built-in PostgreSQL ...');
    const database = isExternal
      ? externalDatabase(connectionString)
      : await builtInDatabase({
          dataDirectory: configured['Svc:DataDirectory'],
          listensOnLoopback: hasDemo,
          say,
        });
    started.push(database.close);
    if (isExternal) await requireExternalDatabase(database.connection, say);
    // Must follow the database: a stopping service on the same data directory still uses its port, and the database
    // waits for it.
    await requireFreePorts(configured);
    const keySettings = await encryptionKey({
      config: configured,
      hasSecrets: () =>
        whileDatabaseAway(() => hasStoredSecrets(database.connection), { onWait: sayWait(say) }),
      say,
    });
    const { inbox, demo } = await startBeside({ config: configured, database, hasDemo, say, started });

    const { config } = loadConfig({
      env,
      values: { ...keySettings, ...inbox?.settings, ...demo?.settings },
    });
    const telemetry = await startTelemetry(config, env);
    if (telemetry) started.push(telemetry.close);
    const pages = webFolder();
    const mail = startMail(config);
    if (mail) started.push(mail.close);
    let setupToken: string | undefined;
    const serviceOptions: SvcOptions = {
      config,
      database: database.connection,
      isDatabaseChecked: true,
      errorMapping,
      onMigration: tellOfMigrations(say),
      ...(mail && { email: mail.adapter }),
      ...(inbox && { inbox: { deliveryUrl: inbox.deliveryUrl, pageUrl: inbox.pageUrl } }),
      ...(pages !== undefined && { pages: { folder: pages } }),
      ...(telemetry && { telemetry: telemetry.providers }),
      dashboard: { prefix: dashboardPrefix, observesEndpoints: true },
      endpoints: demo ? demoEndpoints : [],
      onSetupToken: (token) => {
        setupToken = token;
      },
    };
    const waiting = { onWait: sayWait(say) };
    const svc = await whileDatabaseAway(() => createSvc(serviceOptions), waiting);
    started.push(svc.close);
    if (demo) await svc.demo.install(demo.definition);
    await whileDatabaseAway(() => provisionAtStart(svc, { config, env, say }), waiting);
    const basePath = config['Svc:PathBase'] ?? '';
    const listeners = listenersOf(config);
    let isUp = false;
    const server = await startHttpServer(svc, { listener: listeners.service, basePath, isWeb });
    started.push(() => server.close({ drains: isUp }));
    const metrics =
      telemetry?.answerMetrics &&
      listeners.metrics &&
      (await startMetricsServer({
        config,
        listener: listeners.metrics,
        answerMetrics: telemetry.answerMetrics,
        isReady: svc.isReady,
      }));
    if (metrics) started.push(metrics.close);
    await svc.start();
    isUp = true;
    if (demo) started.push(callDemoEndpoints(server.origin + basePath));
    say(
      isWeb
        ? `Ready: ${server.origin}${basePath}/svc`
        : `Ready: ${server.origin}/readyz (only ${roles.join(' and ')})`,
    );
    sayWhere(say, { inboxUrl: inbox?.pageUrl, hasDemo, metricsUrl: metrics?.url, setupToken });
    return {
      origin: server.origin,
      inboxUrl: inbox?.pageUrl,
      metricsUrl: metrics?.url,
      close: async () => {
        server.announceStop();
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

type BesideOptions = {
  readonly config: Config;
  readonly database: MetadataDatabase;
  readonly hasDemo: boolean;
  readonly say: (line: string) => void;
  /** Stop functions of started components. */
  readonly started: (() => Promise<void>)[];
};

/** Starts components next to the service: the inbox if it is enabled, and the demo, which delivers to it. */
async function startBeside({ config, database, hasDemo, say, started }: BesideOptions) {
  const inbox = hasDemo || config['Svc:Host:Inbox:Enabled'] ? await startInbox(config, say) : undefined;
  if (inbox) started.push(inbox.close);
  const demo = hasDemo && inbox ? await startDemo({ config, database, inbox, say }) : undefined;
  return { inbox, demo };
}

type Places = {
  readonly inboxUrl: string | undefined;
  readonly hasDemo: boolean;
  readonly metricsUrl: string | undefined;
  readonly setupToken: string | undefined;
};

/** Prints the URLs to open, and the token that the setup requires. */
function sayWhere(say: StartOptions['say'], { inboxUrl, hasDemo, metricsUrl, setupToken }: Places): void {
  const inbox = hasDemo ? 'Demo inbox (a delivery arrives within 20 seconds)' : 'Inbox';
  if (inboxUrl !== undefined) say(`${inbox}: ${inboxUrl}`);
  if (metricsUrl !== undefined) say(`Metrics: ${metricsUrl}`);
  if (setupToken !== undefined) say(`First-run setup token: ${setupToken}`);
}
