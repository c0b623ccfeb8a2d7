import type { AlertNews } from '@svc/contract';
import type { MessageKey, RunKey } from '../../../gateways/send/index.ts';
import type { Executor, Tx } from '../../../platform/db/index.ts';
import type { ContractRow } from '../../data-contracts/index.ts';

/** Inserts the run of a notifying evaluation. Its result is the failing rules. */
export async function insertAlertRun(
  tx: Tx,
  contract: Pick<ContractRow, 'id' | 'projectId' | 'name' | 'dataSourceId'>,
  evaluation: { readonly id: number; readonly brokenCount: number },
  notification: { readonly news: AlertNews | null; readonly heldUntil: Date | null },
): Promise<RunKey> {
  const { rows } = await tx.query<RunKey>(
    `insert into svc.runs (contract_id, evaluation_id, project_id, title, data_source_ids, origin, due_at, trace_id, result_count,
       alert_news, held_until)
     select $1, e.id, $3, $4, $5, 'Schedule', date_trunc('milliseconds', e.created_time), e.trace_id, $6, $7, $8
     from svc.contract_evaluations e where e.id = $2 returning id, due_at as "dueAt"`,
    [
      contract.id,
      evaluation.id,
      contract.projectId,
      contract.name,
      [contract.dataSourceId],
      evaluation.brokenCount,
      notification.news,
      notification.heldUntil,
    ],
  );
  const [made] = rows;
  if (!made) throw new Error('A run that was inserted has no id.');
  return made;
}

export async function setAlert(tx: Tx, run: RunKey, sealed: string, jobId: string): Promise<void> {
  await tx.query('update svc.runs set message_sealed = $3, job_id = $4 where id = $1 and due_at = $2', [
    run.id,
    run.dueAt,
    sealed,
    jobId,
  ]);
}

/** An unfinished run of a contract, with the facts that decide whether its message is sent. */
export type OpenAlert = {
  readonly heldUntil: Date | null;
  readonly isArchived: boolean;
  readonly isSnoozed: boolean;
};

export async function findOpenAlert(executor: Executor, run: RunKey): Promise<OpenAlert | undefined> {
  const { rows } = await executor.query<OpenAlert>(
    `select r.held_until as "heldUntil", c.archived_at is not null as "isArchived",
       coalesce(c.snoozed_until > now(), false) as "isSnoozed"
     from svc.runs r join svc.data_contracts c on c.id = r.contract_id
     where r.id = $1 and r.due_at = $2 and r.status = 'Created'`,
    [run.id, run.dueAt],
  );
  return rows[0];
}

/** Lists and locks the runs of a contract whose message is held back. */
export async function heldAlerts(tx: Tx, contractId: number): Promise<RunKey[]> {
  const { rows } = await tx.query<RunKey>(
    `select id, due_at as "dueAt" from svc.runs
     where contract_id = $1 and status = 'Created' and held_until is not null for update`,
    [contractId],
  );
  return rows;
}

/** Returns true if a notification of the contract's alert is currently being sent. */
export async function isTelling(tx: Tx, contractId: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from svc.runs where contract_id = $1 and status = 'Created' and held_until is null
       and alert_news is not null limit 1`,
    [contractId],
  );
  return rowCount === 1;
}

/** Starts the run: its message is no longer held back. */
export async function beginAlert(
  executor: Executor,
  run: RunKey,
): Promise<{ contractId: number; messageSealed: string } | undefined> {
  const { rows } = await executor.query<{ contractId: number; messageSealed: string }>(
    `update svc.runs set started_at = coalesce(started_at, now()), held_until = null
     where id = $1 and due_at = $2 and status = 'Created' and contract_id is not null
     returning contract_id as "contractId", message_sealed as "messageSealed"`,
    [run.id, run.dueAt],
  );
  return rows[0];
}

/** Facts of a notice to the owner of a contract. */
export type OwnerNotice = {
  readonly contractId: number;
  readonly evaluationId: number;
  readonly status: string;
  /** Names of the rules that did not pass, the most severe first. */
  readonly brokenRules: string[];
  readonly alertNews: AlertNews | null;
  /** True if the owner already got a notice after the last scheduled evaluation that did not fail. */
  readonly isRepetition: boolean;
};

export async function findOwnerNotice(tx: Tx, run: RunKey): Promise<OwnerNotice | undefined> {
  const { rows } = await tx.query<OwnerNotice>(
    `select r.contract_id as "contractId", e.id as "evaluationId", e.status, r.alert_news as "alertNews",
       coalesce((select json_agg(x.name order by array_position(array['Critical', 'High', 'Medium', 'Low'], x.severity),
           x.position)
         from svc.contract_rule_results x where x.evaluation_id = e.id and x.outcome <> 'Passed'), '[]') as "brokenRules",
       exists (select from svc.notices n
         where n.subject_kind = 'Contract' and n.subject_id = r.contract_id and n.kind = 'ContractFailed'
           and n.created_time > coalesce((select max(g.finished_at) from svc.contract_evaluations g
             where g.contract_id = r.contract_id and g.trigger = 'Schedule' and g.status in ('Passed', 'Warned')
               and not (g.status = 'Warned' and c.alerts_on_warning)), '-infinity')) as "isRepetition"
     from svc.runs r join svc.data_contracts c on c.id = r.contract_id
       join svc.contract_evaluations e on e.id = r.evaluation_id
     where r.id = $1 and r.due_at = $2`,
    [run.id, run.dueAt],
  );
  return rows[0];
}

/** Lists the recipients of a contract without a ledger entry for a message. */
export async function pendingOfContract(
  executor: Executor,
  { run, messageNo }: MessageKey,
  contractId: number,
): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select cr.recipient_id as id from svc.contract_recipients cr
      join svc.recipients rc on rc.id = cr.recipient_id and rc.archived_at is null
      where cr.contract_id = $4
        and not exists (select from svc.deliveries d
          where d.run_id = $1 and d.run_due_at = $2 and d.message_no = $3 and d.recipient_id = cr.recipient_id)
      order by cr.recipient_id`,
    [run.id, run.dueAt, messageNo, contractId],
  );
  return rows.map(({ id }) => id);
}
