import type { Config } from '@svc/server';
import type { HostTelemetry } from './sdk.ts';

export { checkMetrics, type MetricsServer, startMetricsServer } from './metrics-server.ts';
export type { HostTelemetry } from './sdk.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Whether a kind of telemetry goes to a collector by the standard variables: one that names an exporter or an address
 * for it. Never by default, as the standard would have it: nothing leaves that nobody configured.
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
 * Sets up OpenTelemetry where it is asked for: `Svc:Telemetry:Metrics:Enabled` serves metrics, the standard `OTEL_…`
 * variables send traces and metrics to a collector. Without either the SDK is not even loaded.
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
