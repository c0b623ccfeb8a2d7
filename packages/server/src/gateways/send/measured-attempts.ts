import type { Telemetry } from '../../platform/telemetry/index.ts';
import type { Target } from './attempt.ts';
import type { AttemptEnd } from './ports.ts';

/** Measures attempts: one span per attempt, and a count by channel and end. Neither contains the destination. */
export type MeasureAttempt = (
  channel: Target['type'],
  attempt: () => Promise<AttemptEnd>,
) => Promise<AttemptEnd>;

/** Returns a function that measures attempts. Without telemetry it only runs them. */
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
