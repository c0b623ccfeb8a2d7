import type { HubEvent, HubEventName } from '@svc/contract';
import type { HeardEvent } from '@svc/testkit/client/hub-client.ts';
import type pg from 'pg';
import { createEvents } from '../../../platform/events/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createNotify } from '../notify.ts';

/** What the service itself tells with, over the events of a database and from outside any service. */
const notifyOver = (database: pg.Pool) =>
  createNotify({
    events: createEvents({ database: database as never, connection: {}, log: createLog('silent') }),
    executor: database,
    log: createLog('silent'),
    isEnabled: true,
  });

/** Tells users of a decision. */
export async function raiseApproval(
  database: pg.Pool,
  userIds: readonly number[],
  approvalId: number,
): Promise<HubEvent<'ApprovalUpdated'>> {
  const payload = { approvalId, status: 'Approved' } as const;
  await notifyOver(database).approvalUpdated(database, { ...payload, userIds });
  return payload;
}

/** Tells the starter of a job of its state. */
export async function raiseJob(
  database: pg.Pool,
  job: Parameters<ReturnType<typeof createNotify>['jobChanged']>[0],
): Promise<void> {
  const notify = notifyOver(database);
  notify.jobChanged(job);
  await notify.settled();
}

/** What was heard of one event. */
export const heardOf = (heard: readonly HeardEvent[], event: HubEventName): unknown[] =>
  heard.filter((one) => one.event === event).map(({ payload }) => payload);
