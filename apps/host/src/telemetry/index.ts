import type { Config } from '@svc/server';
import type { HostTelemetry } from './sdk.ts';

export { checkMetrics, type MetricsServer, startMetricsServer } from './metrics-server.ts';
export type { HostTelemetry } from './sdk.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns true if the standard variables send this kind of telemetry to a collector: they name an exporter or an
 * address for it. Unlike the standard's default, nothing is sent without configuration.
 */
function isExported(env: Env, kind: 'TRACES' | 'METRICS'): boolean {
  const setting = (name: string): string => env[name]?.trim() ?? '';
  if (setting('OTEL_SDK_DISABLED').toLowerCase() === 'true') return false;
  const exporter = setting(`OTEL_${kind}_EXPORTER`);
  if (exporter === 'none') return false;
  const addresses = ['OTEL_EXPORTER_OTLP_ENDPOINT', `OTEL_EXPORTER_OTLP_${kind}_ENDPOINT`];
  return exporter !== '' || addresses.some((name) => setting(name) !== '');
}

/**
 * Starts OpenTelemetry if it is configured: `Svc:Telemetry:Metrics:Enabled` serves metrics, the standard `OTEL_…`
 * variables send traces and metrics to a collector. Without either the SDK is not loaded.
 */
export async function startTelemetry(config: Config, env: Env): Promise<HostTelemetry | undefined> {
  const wanted = {
    servesMetrics: config['Svc:Telemetry:Metrics:Enabled'],
    sendsMetrics: isExported(env, 'METRICS'),
    sendsTraces: isExported(env, 'TRACES'),
  };
  if (!Object.values(wanted).includes(true)) return undefined;
  const { startSdk } = await import('./sdk.ts');
  return startSdk(wanted, env);
}
