import type { HubEvent, HubEventName } from '@svc/contract';
import type pg from 'pg';
import { createEvents } from '../../../platform/events/index.ts';
import { createLog } from '../../../platform/log/index.ts';
import { createNotify } from '../notify.ts';
import type { HeardEvent } from './client.ts';

/** Tells a user of a decision, as the approvals do: over the events of the database, from outside any service. */
export async function raiseApproval(
  database: pg.Pool,
  userIds: readonly number[],
  approvalId: number,
): Promise<HubEvent<'ApprovalUpdated'>> {
  const payload = { approvalId, status: 'Approved' } as const;
  const notify = createNotify({
    events: createEvents({ database: database as never, connection: {}, log: createLog('silent') }),
    executor: database as never,
    log: createLog('silent'),
    isEnabled: true,
  });
  await notify.approvalUpdated(database as never, { ...payload, userIds });
  return payload;
}

/** What was heard of one event. */
export const heardOf = (heard: readonly HeardEvent[], event: HubEventName): unknown[] =>
  heard.filter((one) => one.event === event).map(({ payload }) => payload);
