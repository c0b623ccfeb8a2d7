import type { Jobs, QueueDepth } from '@svc/jobs';
import { subscriptionGauges } from '../../domains/control-tower/index.ts';
import type { RunEvents } from '../../domains/runs/index.ts';
import { jobQueues } from '../../operations/job-queues.ts';
import {
  type GaugeValue,
  type PolledGauge,
  registerPolledGauges,
  type Telemetry,
} from '../../platform/telemetry/index.ts';
import type { Infrastructure } from '../infrastructure.ts';

/** States that every queue reports, with 0 if it has no such job. */
const reportedStates = ['Enqueued', 'Processing', 'Failed'] as const;

function depthsOf(depths: readonly QueueDepth[]): GaugeValue[] {
  const empty = jobQueues.flatMap((queue) =>
    reportedStates
      .filter((state) => !depths.some((depth) => depth.queue === queue && depth.state === state))
      .map((state) => ({ queue, state, count: 0 })),
  );
  return [...depths, ...empty].map(({ queue, state, count }) => ({
    value: count,
    attributes: { queue, state },
  }));
}

/** Registers the gauges: queues, lateness, connections of the pool. */
export function registerGauges(infra: Infrastructure, { jobs }: { readonly jobs: Jobs }): void {
  const { telemetry, database, replica, clock, log, settings } = infra;
  if (!telemetry) return;
  const gauges: readonly PolledGauge[] = [
    {
      name: 'svc.jobs',
      description: 'Jobs that wait, run or have failed, by queue and state.',
      unit: '{job}',
      read: async () => depthsOf(await jobs.read.depths()),
    },
    {
      name: 'svc.database.connections',
      description: 'Connections of the pool to the metadata database, and requests that wait for one.',
      unit: '{connection}',
      read: async () => {
        const { totalCount, idleCount, waitingCount } = database.pool;
        return [
          { value: totalCount - idleCount, attributes: { state: 'used' } },
          { value: idleCount, attributes: { state: 'idle' } },
          { value: waitingCount, attributes: { state: 'awaited' } },
        ];
      },
    },
    ...(replica
      ? [
          {
            name: 'svc.database.replica_lag',
            description: 'How late the read replica is; absent while it is away.',
            unit: 's',
            read: async () => {
              const lagMs = replica.lagMs();
              return lagMs === undefined ? [] : [{ value: lagMs / 1_000 }];
            },
          },
        ]
      : []),
    ...subscriptionGauges(database, {
      graceSeconds: settings.subscriptions.missedRunGraceSeconds,
      retainedDays: settings.retention,
      hasSubscriptions: settings.metricsPerSubscription,
    }),
  ];
  registerPolledGauges(telemetry, gauges, { clock, log });
}

/** Counts runs at their end, before publishing their events. */
export function countedRuns<T extends RunEvents>(telemetry: Telemetry | undefined, events: T): T {
  if (!telemetry) return events;
  const count = telemetry.meter.createCounter('svc.runs', {
    description: 'Runs that ended in this process, by status.',
    unit: '{run}',
  });
  return {
    ...events,
    notificationCreated: (event) => {
      count.add(1, { status: event.kind });
      events.notificationCreated(event);
    },
  };
}
