import type { Telemetry } from '../../platform/telemetry/index.ts';
import type { Target } from './attempt.ts';
import type { AttemptEnd } from './ports.ts';

/** Measures attempts: a span each, and a count by channel and end. Neither says where they go. */
export type MeasureAttempt = (
  channel: Target['type'],
  attempt: () => Promise<AttemptEnd>,
) => Promise<AttemptEnd>;

/** Makes the measuring of attempts; without telemetry they are just made. */
export function measuredAttempts(telemetry: Telemetry | undefined): MeasureAttempt {
  if (!telemetry) return (_channel, attempt) => attempt();
  const count = telemetry.meter.createCounter('svc.deliveries', {
    description: 'Attempts to deliver, by channel and end.',
    unit: '{delivery}',
  });
  return (channel, attempt) =>
    telemetry.inSpan(
      `deliver ${channel}`,
      { kind: 'Client', attributes: { 'svc.channel': channel } },
      async (span) => {
        const end = await attempt();
        const { state, reason, httpStatus } = end;
        count.add(1, { channel, state });
        span.setAttribute('svc.delivery.state', state);
        if (httpStatus !== undefined) span.setAttribute('http.response.status_code', httpStatus);
        if (state !== 'Sent' && reason !== null) span.setAttribute('error.type', reason);
        return end;
      },
    );
}
