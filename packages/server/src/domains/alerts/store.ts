import type { AlertNews } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import type { AlertMemory } from './machine.ts';

export type StoredAlert = AlertMemory & {
  /** The run that last moved it; null: none yet. */
  readonly runId: number | null;
};

const columns = `state, streak, since, told_state as "toldState", told_at as "toldAt", run_id as "runId"`;

/** The alert of a subscription, without a lock; undefined where no run has said anything yet. */
export async function readAlert(
  executor: Executor,
  subscriptionId: number,
): Promise<StoredAlert | undefined> {
  const { rows } = await executor.query<StoredAlert>({
    name: 'alerts-read',
    text: `select ${columns} from svc.alert_states where subscription_id = $1`,
    values: [subscriptionId],
  });
  return rows[0];
}

/** The same, made where it is missing and held until the transaction ends. */
export async function lockAlert(tx: Executor, subscriptionId: number, now: Date): Promise<StoredAlert> {
  await tx.query({
    name: 'alerts-ensure',
    text: `insert into svc.alert_states (subscription_id, state, since) values ($1, 'Ok', $2) on conflict do nothing`,
    values: [subscriptionId, now],
  });
  const { rows } = await tx.query<StoredAlert>({
    name: 'alerts-lock',
    text: `select ${columns} from svc.alert_states where subscription_id = $1 for update`,
    values: [subscriptionId],
  });
  const [row] = rows;
  if (!row) throw new Error(`The alert of subscription ${subscriptionId} was made and is not there.`);
  return row;
}

export async function saveAlert(tx: Executor, subscriptionId: number, alert: StoredAlert): Promise<void> {
  await tx.query({
    name: 'alerts-save',
    text: `update svc.alert_states set state = $2, streak = $3, since = $4, told_state = $5, told_at = $6, run_id = $7
      where subscription_id = $1`,
    values: [
      subscriptionId,
      ...[alert.state, alert.streak, alert.since, alert.toldState, alert.toldAt, alert.runId],
    ],
  });
}

/** Keeps that the recipients were told. */
export async function saveTold(tx: Tx, subscriptionId: number, news: AlertNews): Promise<void> {
  await tx.query({
    name: 'alerts-told',
    text: `update svc.alert_states set told_state = case when $2 then 'Firing' else 'Ok' end,
        told_at = case when $2 then now() end
      where subscription_id = $1`,
    values: [subscriptionId, news !== 'Recovered'],
  });
}

/** Forgets the alert of a subscription. */
export async function deleteAlert(tx: Tx, subscriptionId: number): Promise<void> {
  await tx.query('delete from svc.alert_states where subscription_id = $1', [subscriptionId]);
}

/** Hands the alert of a subscription to the one that takes its place. */
export async function moveAlert(tx: Tx, fromId: number, toId: number): Promise<void> {
  await tx.query('update svc.alert_states set subscription_id = $2 where subscription_id = $1', [
    fromId,
    toId,
  ]);
}
