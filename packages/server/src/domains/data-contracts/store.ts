import type {
  Alert,
  AlertMode,
  AlertRule,
  ContractRule,
  FailureCondition,
  MissedRuns,
  NotificationType,
  QuietHours,
  RecipientState,
  RuleOutcome,
} from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import { alertJson } from '../alerts/index.ts';

/** Stored members of a contract, without its rules. */
export type ContractSettings = {
  readonly projectId: number;
  readonly dataSourceId: number;
  readonly schemaName: string;
  readonly tableName: string;
  readonly name: string;
  readonly description: string | null;
  readonly cronExpression: string | null;
  readonly timeZone: string | null;
  readonly isEnabled: boolean;
  readonly failsOn: FailureCondition;
  readonly warnScore: number;
  readonly failScore: number;
  readonly alertMode: AlertMode;
  readonly alertsOnWarning: boolean;
  /** Rule of `OnChange` alerts; null for other modes. */
  readonly alert: AlertRule | null;
  readonly quietHours: QuietHours | null;
  readonly createTasks: boolean;
  readonly slaHours: number | null;
  readonly keepsSamples: boolean;
};

/** A stored contract with the display names of related records. */
export type ContractRow = ContractSettings & {
  readonly id: number;
  readonly projectName: string;
  readonly dataSourceName: string;
  readonly ownerUserId: number | null;
  readonly ownerName: string | null;
  readonly alertState: Alert | null;
  readonly lastMissed: MissedRuns | null;
  readonly snoozedUntil: Date | null;
  readonly snoozeReason: string | null;
  readonly createdTime: Date;
  readonly updatedAt: Date;
  readonly version: number;
  readonly recipients: {
    id: number;
    name: string;
    notificationType: NotificationType;
    state: RecipientState;
  }[];
  readonly rules: ContractRule[];
};

export type ContractSummaryRow = Pick<
  ContractRow,
  | 'id'
  | 'projectId'
  | 'projectName'
  | 'dataSourceId'
  | 'dataSourceName'
  | 'schemaName'
  | 'tableName'
  | 'name'
  | 'isEnabled'
  | 'ownerUserId'
  | 'ownerName'
  | 'snoozedUntil'
  | 'createdTime'
> & {
  readonly ruleCount: number;
  /** Result of the last finished evaluation; null before the first one. */
  readonly lastOutcome: RuleOutcome | null;
  readonly lastScore: number | null;
  readonly lastEvaluatedAt: Date | null;
};

export const contractSortable: Sortable = {
  name: 'lower(c.name) collate "C"',
  tableName: 'lower(c.table_name) collate "C"',
  projectName: 'lower(p.name) collate "C"',
  lastScore: 'l.score',
  createdTime: 'c.created_time',
};

const shown = `c.id, c.project_id as "projectId", p.name as "projectName", c.data_source_id as "dataSourceId",
  d.name as "dataSourceName", c.schema_name as "schemaName", c.table_name as "tableName", c.name,
  c.is_enabled as "isEnabled", c.owner_user_id as "ownerUserId", coalesce(o.display_name, o.user_name) as "ownerName",
  case when c.snoozed_until > now() then c.snoozed_until end as "snoozedUntil", c.created_time as "createdTime"`;
const settings = `c.description, c.cron_expression as "cronExpression", c.time_zone as "timeZone",
  c.fails_on as "failsOn", c.warn_score as "warnScore", c.fail_score as "failScore", c.alert_mode as "alertMode",
  c.alerts_on_warning as "alertsOnWarning", c.alert, c.quiet_hours as "quietHours",
  (select ${alertJson}
    from svc.alert_states a where a.contract_id = c.id and c.alert is not null) as "alertState",
  (select json_build_object('id', m.id, 'firstDueAt', m.first_due_at, 'lastDueAt', m.last_due_at,
      'missedCount', m.missed_count, 'noticedAt', m.noticed_at, 'reason', m.reason)
    from svc.missed_runs m where m.contract_id = c.id and m.missed_count > 0 order by m.first_due_at desc limit 1) as "lastMissed",
  c.create_tasks as "createTasks", c.sla_hours as "slaHours", c.keeps_samples as "keepsSamples", case when c.snoozed_until > now() then c.snooze_reason end as "snoozeReason",
  c.updated_at as "updatedAt", c.version`;
const rule = `'id', r.id, 'name', r.name, 'type', r.type, 'columns', r.columns, 'config', r.config, 'severity', r.severity,
  'weight', r.weight, 'unit', r.unit, 'warnAbove', r.warn_above, 'failAbove', r.fail_above, 'isEnabled', r.is_enabled`;
const parts = `coalesce((select json_agg(json_build_object(${rule}) order by r.position)
    from svc.contract_rules r where r.contract_id = c.id and r.archived_at is null), '[]') as rules,
  coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name, 'notificationType', r.notification_type,
      'state', r.state) order by r.name collate "C", r.id)
    from svc.contract_recipients cr join svc.recipients r on r.id = cr.recipient_id
    where cr.contract_id = c.id), '[]') as recipients`;
const joined = `from svc.data_contracts c join svc.projects p on p.id = c.project_id
  join svc.data_sources d on d.id = c.data_source_id left join svc.users o on o.id = c.owner_user_id`;
const from = `${joined} where c.archived_at is null`;
/** Joins the last finished evaluation, as `l`. */
const last = `left join lateral (
    select e.status, e.score, e.finished_at from svc.contract_evaluations e
    where e.contract_id = c.id and e.finished_at is not null order by e.created_time desc, e.id desc limit 1) l on true`;

export type ContractFilter = {
  readonly search: string | null;
  readonly projectId: number | null;
  readonly dataSourceId: number | null;
};

/** Returns one page of the live contracts in the given projects; null means all projects. */
export async function listContracts(
  executor: Executor,
  projectIds: readonly number[] | null,
  { search, projectId, dataSourceId }: ContractFilter,
  page: PageRequest,
): Promise<{ rows: ContractSummaryRow[]; totalCount: number }> {
  const where = `where c.archived_at is null and ($1::int[] is null or c.project_id = any($1::int[]))
    and ($2::text is null or position(lower($2) in lower(concat_ws(' ', c.name, c.schema_name, c.table_name))) > 0)
    and ($3::int is null or c.project_id = $3) and ($4::int is null or c.data_source_id = $4)`;
  const values = [projectIds, search, projectId, dataSourceId];
  const { rows } = await executor.query<ContractSummaryRow>(
    `select ${shown}, (select count(*) from svc.contract_rules r
        where r.contract_id = c.id and r.archived_at is null) as "ruleCount",
        l.status as "lastOutcome", l.score as "lastScore", l.finished_at as "lastEvaluatedAt"
      ${joined} ${last} ${where} order by ${orderBy(page)} limit $5 offset $6`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*) as count ${joined} ${where}`,
    values,
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export async function findContract(executor: Executor, id: number): Promise<ContractRow | undefined> {
  const { rows } = await executor.query<ContractRow>(
    `select ${shown}, ${settings}, ${parts} ${from} and c.id = $1`,
    [id],
  );
  return rows[0];
}

/** Locks a live contract until the transaction ends. Concurrent changes wait. */
export async function lockContract(tx: Tx, id: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select from svc.data_contracts where id = $1 and archived_at is null for update',
    [id],
  );
  return rowCount === 1;
}

const written = [
  'project_id',
  'data_source_id',
  'schema_name',
  'table_name',
  'name',
  'description',
  'cron_expression',
  'time_zone',
  'is_enabled',
  'fails_on',
  'warn_score',
  'fail_score',
  'alert_mode',
  'alerts_on_warning',
  'alert',
  'quiet_hours',
  'create_tasks',
  'sla_hours',
  'keeps_samples',
] as const;

const scheduled = ['cron_expression', 'time_zone', 'is_enabled'] as const;
const isScheduleUnchanged = `(${scheduled.join(', ')}) is not distinct from
  (${scheduled.map((column) => `$${written.indexOf(column) + 2}`).join(', ')})`;

const valuesOf = (contract: ContractSettings): unknown[] => [
  contract.projectId,
  contract.dataSourceId,
  contract.schemaName,
  contract.tableName,
  contract.name,
  contract.description,
  contract.cronExpression,
  contract.timeZone,
  contract.isEnabled,
  contract.failsOn,
  contract.warnScore,
  contract.failScore,
  contract.alertMode,
  contract.alertsOnWarning,
  contract.alert && JSON.stringify(contract.alert),
  contract.quietHours && JSON.stringify(contract.quietHours),
  contract.createTasks,
  contract.slaHours,
  contract.keepsSamples,
];

export async function insertContract(
  tx: Tx,
  contract: ContractSettings,
  userId: number | null,
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.data_contracts (owner_user_id, created_by_user_id, ${written.join(', ')})
     values ($1, $1, ${written.map((_, index) => `$${index + 2}`).join(', ')}) returning id`,
    [userId, ...valuesOf(contract)],
  );
  const [made] = rows;
  if (!made) throw new Error('A contract that was inserted has no id.');
  return made.id;
}

export async function updateContract(tx: Tx, id: number, contract: ContractSettings): Promise<void> {
  await tx.query(
    // After a change of the schedule, missed runs are counted from now on.
    `update svc.data_contracts set updated_at = now(), version = version + 1,
       watch_due_at = case when ${isScheduleUnchanged} then watch_due_at end,
       schedule_changed_at = case when ${isScheduleUnchanged} then schedule_changed_at else now() end,
       ${written.map((column, index) => `${column} = $${index + 2}`).join(', ')} where id = $1`,
    [id, ...valuesOf(contract)],
  );
}

export async function archiveContract(tx: Tx, id: number): Promise<void> {
  await tx.query('update svc.data_contracts set archived_at = now(), updated_at = now() where id = $1', [id]);
}

export async function setOwner(tx: Tx, id: number, userId: number): Promise<void> {
  await tx.query(
    'update svc.data_contracts set owner_user_id = $2, updated_at = now(), version = version + 1 where id = $1',
    [id, userId],
  );
}

/** Alerts are not part of the definition, so the version does not change. */
export async function setSnooze(
  tx: Tx,
  id: number,
  until: Date | null,
  reason: string | null,
): Promise<void> {
  await tx.query('update svc.data_contracts set snoozed_until = $2, snooze_reason = $3 where id = $1', [
    id,
    until,
    reason,
  ]);
}

/** Attaches live recipients. Returns how many of the given recipients exist. */
export async function attachRecipients(
  tx: Tx,
  contractId: number,
  recipientIds: readonly number[],
  userId: number | null,
): Promise<number> {
  // Locked, so that no recipient is archived between this check and the commit.
  const { rowCount } = await tx.query(
    'select id from svc.recipients where id = any($1::int[]) and archived_at is null for share',
    [recipientIds],
  );
  await tx.query(
    `insert into svc.contract_recipients (contract_id, recipient_id, attached_by_user_id)
     select $1, r.id, $3 from svc.recipients r where r.id = any($2::int[]) and r.archived_at is null
     on conflict do nothing`,
    [contractId, recipientIds, userId],
  );
  return rowCount ?? 0;
}

export async function detachRecipient(tx: Tx, contractId: number, recipientId: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    'delete from svc.contract_recipients where contract_id = $1 and recipient_id = $2',
    [contractId, recipientId],
  );
  return rowCount === 1;
}
