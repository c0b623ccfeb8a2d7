import { callDemoEndpoints } from './demo/endpoints.ts';
import { startHttpServer } from './http-server.ts';
import { type Infrastructure, type Stops, startInfrastructure } from './infrastructure.ts';
import { listenersOf } from './listening/ports.ts';
import { createService } from './service.ts';
import type { StartOptions } from './start-options.ts';
import { startMetricsServer } from './telemetry/index.ts';

/** A running standalone service. */
export type RunningHost = {
  readonly origin: string;
  readonly inboxUrl: string | undefined;
  /** URL of the metrics, if they are served. */
  readonly metricsUrl: string | undefined;
  readonly close: () => Promise<void>;
};

type Service = Awaited<ReturnType<typeof createService>>;

/** Starts the listeners, then the jobs of the service, then the demo's calls. */
async function startServing({ config, demo }: Infrastructure, { svc, answerMetrics }: Service, stops: Stops) {
  const basePath = config['Svc:PathBase'] ?? '';
  const isWeb = config['Svc:Host:Roles'].includes('Web');
  const listeners = listenersOf(config);
  let isUp = false;
  const server = await startHttpServer(svc, { listener: listeners.service, basePath, isWeb });
  stops.push(() => server.close({ drains: isUp }));
  const metrics =
    answerMetrics &&
    listeners.metrics &&
    (await startMetricsServer({
      config,
      listener: listeners.metrics,
      answerMetrics,
      isReady: svc.isReady,
    }));
  if (metrics) stops.push(metrics.close);
  await svc.start();
  isUp = true;
  if (demo) stops.push(callDemoEndpoints(server.origin + basePath));
  return { server, metricsUrl: metrics?.url };
}

type Places = {
  readonly origin: string;
  readonly metricsUrl: string | undefined;
  readonly setupToken: string | undefined;
};

/** Prints the URLs to open, and the token that the setup requires. */
function sayWhere(
  say: StartOptions['say'],
  { config, inbox, hasDemo }: Infrastructure,
  { origin, metricsUrl, setupToken }: Places,
): void {
  const roles = config['Svc:Host:Roles'];
  say(
    roles.includes('Web')
      ? `Ready: ${origin}${config['Svc:PathBase'] ?? ''}/svc`
      : `Ready: ${origin}/readyz (only ${roles.join(' and ')})`,
  );
  const inboxName = hasDemo ? 'Demo inbox (a delivery arrives within 20 seconds)' : 'Inbox';
  if (inbox) say(`${inboxName}: ${inbox.pageUrl}`);
  if (metricsUrl !== undefined) say(`Metrics: ${metricsUrl}`);
  if (setupToken !== undefined) say(`First-run setup token: ${setupToken}`);
}

/**
 * Starts all components: database, demo, service, HTTP server. If a step fails, it stops the components that it has
 * started.
 */
export async function startHost(options: StartOptions): Promise<RunningHost> {
  const stops: Stops = [];
  const stopAll = async (): Promise<void> => {
    for (const stop of stops.reverse()) await stop();
  };
  try {
    const infrastructure = await startInfrastructure(options, stops);
    const service = await createService(infrastructure, options, stops);
    const { server, metricsUrl } = await startServing(infrastructure, service, stops);
    const { origin } = server;
    sayWhere(options.say, infrastructure, { origin, metricsUrl, setupToken: service.setupToken() });
    return {
      origin,
      inboxUrl: infrastructure.inbox?.pageUrl,
      metricsUrl,
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
