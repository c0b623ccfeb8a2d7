import type { AlertNews } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import type { AlertMemory } from './machine.ts';

/** Subject of an alert. */
export type AlertSubject = { readonly kind: 'Subscription' | 'Contract'; readonly id: number };

export type StoredAlert = AlertMemory & {
  /** Id of the run or the evaluation that last advanced the alert. Null: none yet. */
  readonly movedBy: number | null;
};

const columns = `state, streak, since, told_state as "toldState", told_at as "toldAt", moved_by as "movedBy",
  acknowledged_at as "acknowledgedAt"`;
const columnOf = { Subscription: 'subscription_id', Contract: 'contract_id' } as const;

/** Reads an alert without a lock. Undefined if no run has advanced it yet. */
export async function readAlert(
  executor: Executor,
  { kind, id }: AlertSubject,
): Promise<StoredAlert | undefined> {
  const { rows } = await executor.query<StoredAlert>({
    name: `alerts-read-${kind}`,
    text: `select ${columns} from svc.alert_states where ${columnOf[kind]} = $1`,
    values: [id],
  });
  return rows[0];
}

/** Creates the alert if it is missing, and locks it until the transaction ends. */
export async function lockAlert(tx: Executor, { kind, id }: AlertSubject, now: Date): Promise<StoredAlert> {
  await tx.query({
    name: `alerts-ensure-${kind}`,
    text: `insert into svc.alert_states (${columnOf[kind]}, state, since) values ($1, 'Ok', $2) on conflict do nothing`,
    values: [id, now],
  });
  const { rows } = await tx.query<StoredAlert>({
    name: `alerts-lock-${kind}`,
    text: `select ${columns} from svc.alert_states where ${columnOf[kind]} = $1 for update`,
    values: [id],
  });
  const [row] = rows;
  if (!row) throw new Error(`The alert of ${kind} ${id} was made and is not there.`);
  return row;
}

export async function saveAlert(tx: Executor, { kind, id }: AlertSubject, alert: StoredAlert): Promise<void> {
  await tx.query({
    name: `alerts-save-${kind}`,
    text: `update svc.alert_states set state = $2, streak = $3, since = $4, told_state = $5, told_at = $6, moved_by = $7,
        acknowledged_at = $8, acknowledged_by_user_id = case when $8::timestamptz is not null then acknowledged_by_user_id end,
        acknowledgement_note = case when $8::timestamptz is not null then acknowledgement_note end
      where ${columnOf[kind]} = $1`,
    values: [
      id,
      alert.state,
      alert.streak,
      alert.since,
      alert.toldState,
      alert.toldAt,
      alert.movedBy,
      alert.acknowledgedAt,
    ],
  });
}

/** Records that the recipients were notified. */
export async function saveNotification(
  tx: Tx,
  { kind, id }: AlertSubject,
  notification: AlertNews,
): Promise<void> {
  await tx.query({
    name: `alerts-told-${kind}`,
    text: `update svc.alert_states set told_state = case when $2 then 'Firing' else 'Ok' end,
        told_at = case when $2 then now() end
      where ${columnOf[kind]} = $1`,
    values: [id, notification !== 'Recovered'],
  });
}

/** Stores the acknowledgement of a firing alert. Returns false if the alert is not firing. */
export async function saveAcknowledgement(
  tx: Tx,
  { kind, id }: AlertSubject,
  by: { readonly userId: number | null; readonly note: string | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.alert_states
      set acknowledged_at = now(), acknowledged_by_user_id = $2, acknowledgement_note = $3
      where ${columnOf[kind]} = $1 and state in ('Firing', 'Recovering')`,
    [id, by.userId, by.note],
  );
  return rowCount === 1;
}

/** Removes the acknowledgement of an alert. @returns true if there was one. */
export async function deleteAcknowledgement(tx: Tx, { kind, id }: AlertSubject): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.alert_states
      set acknowledged_at = null, acknowledged_by_user_id = null, acknowledgement_note = null
      where ${columnOf[kind]} = $1 and acknowledged_at is not null`,
    [id],
  );
  return rowCount === 1;
}

/** SQL of the JSON object of an alert, for a row of `svc.alert_states` as `a`. */
export const alertJson = `json_build_object('state', a.state, 'since', a.since, 'toldAt', a.told_at, 'acknowledgement',
  case when a.acknowledged_at is not null then json_build_object('at', a.acknowledged_at,
    'userId', a.acknowledged_by_user_id, 'note', a.acknowledgement_note, 'userName',
    (select coalesce(u.display_name, u.user_name) from svc.users u where u.id = a.acknowledged_by_user_id)) end)`;

/** Deletes the alert of a subject. */
export async function deleteAlert(tx: Tx, { kind, id }: AlertSubject): Promise<void> {
  await tx.query(`delete from svc.alert_states where ${columnOf[kind]} = $1`, [id]);
}

/** Moves the alert of a subscription to the subscription that replaces it. */
export async function moveAlert(tx: Tx, fromId: number, toId: number): Promise<void> {
  await tx.query('update svc.alert_states set subscription_id = $2 where subscription_id = $1', [
    fromId,
    toId,
  ]);
}
