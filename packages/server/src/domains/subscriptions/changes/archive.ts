import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertUnmanaged } from '../../managed-records/index.ts';
import { requireQuery } from '../requirements.ts';
import { setArchived } from '../store/index.ts';
import type { ChangeDeps } from './dependencies.ts';

/** Creates the function that archives a subscription and stops its schedule. */
export const createArchive =
  ({ reader, audit, setSchedule }: Pick<ChangeDeps, 'reader' | 'audit' | 'setSchedule'>) =>
  async (tx: Tx, actor: CallerActor, id: number): Promise<void> => {
    const row = await reader.require(tx, actor.caller, id, 'Write');
    await assertUnmanaged(tx, actor, 'Subscription', id);
    if (!(await setArchived(tx, id, true))) return;
    await setSchedule(tx, id, undefined);
    await audit.record(tx, {
      by: actor,
      event: 'subscriptions.subscription_archived',
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
    });
  };

/** Creates the function that reactivates an archived subscription and starts its schedule. */
export const createReactivate =
  ({
    reader,
    audit,
    loadQuery,
    setSchedule,
  }: Pick<ChangeDeps, 'reader' | 'audit' | 'loadQuery' | 'setSchedule'>) =>
  async (tx: Tx, actor: CallerActor, id: number): Promise<void> => {
    const row = await reader.require(tx, actor.caller, id, 'Write');
    requireQuery(await loadQuery(tx, row.queryId));
    if (!(await setArchived(tx, id, false))) return;
    await setSchedule(tx, id, { cronExpression: row.cronExpression, timeZone: row.timeZone });
    await audit.record(tx, {
      by: actor,
      event: 'subscriptions.subscription_reactivated',
      subject: { kind: 'subscription', id },
      projectId: row.projectId,
    });
  };
