import type { HubEvent, HubEventName } from '@svc/contract';
import type { HeardEvent } from '@svc/testkit/client/hub-client.ts';
import type pg from 'pg';
import { createEvents } from '../../../platform/events/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createNotify } from '../notify.ts';

/** Creates the notifier of the service on the events of a database, outside a service. */
const notifyOver = (database: pg.Pool) =>
  createNotify({
    events: createEvents({ database: database as never, connection: {}, log: createLog('silent') }),
    executor: database,
    log: createLog('silent'),
    isEnabled: true,
  });

/** Sends a decision to users. */
export async function raiseApproval(
  database: pg.Pool,
  userIds: readonly number[],
  approvalId: number,
): Promise<HubEvent<'ApprovalUpdated'>> {
  const payload = { approvalId, status: 'Approved' } as const;
  await notifyOver(database).approvalUpdated(database, { ...payload, userIds });
  return payload;
}

/** Sends the state of a job to its starter. */
export async function raiseJob(
  database: pg.Pool,
  job: Parameters<ReturnType<typeof createNotify>['jobChanged']>[0],
): Promise<void> {
  const notify = notifyOver(database);
  notify.jobChanged(job);
  await notify.settled();
}

/** Returns the received payloads of one event. */
export const heardOf = (heard: readonly HeardEvent[], event: HubEventName): unknown[] =>
  heard.filter((one) => one.event === event).map(({ payload }) => payload);
