import type { DeliveryOrigin, DeliveryState, NotificationType, RunStatus } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Executor } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';
import { countByDay, dueAndDelivered, partOf } from './counts.ts';
import type { ReplacedLink } from './replacements.ts';

export type HistoryRow = {
  id: number;
  subscriptionId: number | null;
  queryId: number | null;
  contractId: number | null;
  /** Name of the query, or the title of a run without a query. */
  queryName: string;
  queryVersionId: number | null;
  versionNumber: number | null;
  projectId: number;
  projectName: string;
  origin: 'Schedule' | 'Test';
  status: RunStatus;
  reason: string | null;
  reasonDetail: unknown;
  resultCount: number | null;
  violationCount: number | null;
  previousResultCount: number | null;
  unroutedCount: number | null;
  executionTimeMs: number | null;
  dueAt: Date;
  createdTime: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  sentAt: Date | null;
  recoveredAt: Date | null;
  heldUntil: Date | null;
  traceId: string | null;
  recipientNames: string[];
};

export type DeliveryRow = {
  id: number;
  recipientId: number;
  recipientName: string;
  notificationType: NotificationType;
  attempt: number;
  origin: DeliveryOrigin;
  orderedBy: string | null;
  state: DeliveryState;
  reason: string | null;
  notes: string[];
  messageId: string;
  remoteId: string | null;
  rowCount: number | null;
  bytesSent: number | null;
  dueAt: Date | null;
  httpClass: string | null;
  startedAt: Date;
  finishedAt: Date | null;
  durationMs: number | null;
  retryAfterSeconds: number | null;
};

export type HistoryFilter = {
  readonly status?: RunStatus | undefined;
  /** Only runs of these subscriptions. */
  readonly subscriptionIds?: readonly number[] | undefined;
  /** Only runs of these subscriptions up to their replacement. `subscriptionIds` contains their ids. */
  readonly chain?: readonly ReplacedLink[] | undefined;
  /** Only runs about this data contract. */
  readonly contractId?: number | undefined;
  /** Only runs with a delivery to this recipient. */
  readonly recipientId?: number | undefined;
  /** Earliest due time, inclusive. */
  readonly from?: string | undefined;
  /** Latest due time, exclusive. */
  readonly to?: string | undefined;
};

export const sortable = {
  createdTime: 'r.created_time',
  dueAt: 'r.due_at',
  queryName: 'coalesce(q.name, r.title) collate "C"',
  status: 'r.status collate "C"',
  resultCount: 'r.result_count',
  executionTimeMs: 'r.execution_time_ms',
  id: 'r.id',
} as const;

const runs = (executor: Executor, visible: RawBuilder<boolean>) =>
  executor.kysely
    .selectFrom('svc.runs as r')
    .leftJoin('svc.queries as q', 'q.id', 'r.query_id')
    .innerJoin('svc.projects as p', 'p.id', 'r.project_id')
    .where(visible);

const columns = [
  'r.id',
  'r.subscription_id as subscriptionId',
  'r.query_id as queryId',
  'r.contract_id as contractId',
  sql<string>`coalesce(q.name, r.title)`.as('queryName'),
  'r.query_version_id as queryVersionId',
  sql<number | null>`(select v.version_number from svc.query_versions v where v.id = r.query_version_id)`.as(
    'versionNumber',
  ),
  'r.project_id as projectId',
  'p.name as projectName',
  sql<'Schedule' | 'Test'>`r.origin`.as('origin'),
  sql<RunStatus>`r.status`.as('status'),
  'r.reason',
  'r.reason_detail as reasonDetail',
  'r.result_count as resultCount',
  sql<number | null>`(select sum(b.failing)::bigint from svc.contract_rule_results b
    where b.evaluation_id = r.evaluation_id and b.outcome <> 'Passed')`.as('violationCount'),
  'r.previous_result_count as previousResultCount',
  'r.unrouted_count as unroutedCount',
  'r.execution_time_ms as executionTimeMs',
  'r.due_at as dueAt',
  'r.created_time as createdTime',
  'r.started_at as startedAt',
  'r.finished_at as finishedAt',
  'r.trace_id as traceId',
  'r.recovered_at as recoveredAt',
  'r.held_until as heldUntil',
  sql<Date | null>`(select max(d.finished_at) from svc.deliveries d where d.run_id = r.id and d.run_due_at = r.due_at and d.state = 'Sent')`.as(
    'sentAt',
  ),
  sql<
    string[]
  >`array(select distinct rc.name from svc.deliveries d join svc.recipients rc on rc.id = d.recipient_id where d.run_id = r.id and d.run_due_at = r.due_at order by rc.name)`.as(
    'recipientNames',
  ),
] as const;

/** Default order of the list: newest first. */
const ownOrder = ['r.due_at', 'r.id'];

/** Returns one page of the runs that the caller may see. */
export async function listHistory(
  executor: Executor,
  visible: RawBuilder<boolean>,
  filter: HistoryFilter,
  page: PageRequest,
): Promise<{ rows: HistoryRow[]; totalCount: number }> {
  const days = await countByDay(executor, visible, filter);
  const totalCount = days.reduce((sum, { runs }) => sum + runs, 0);
  if (page.offset >= totalCount) return { rows: [], totalCount };
  let query = executor.kysely
    .selectFrom('svc.runs as r')
    .leftJoin('svc.queries as q', 'q.id', 'r.query_id')
    .select(['r.id', 'r.due_at as dueAt'])
    .where(visible);
  if (filter.status) query = query.where('r.status', '=', filter.status);
  if (filter.subscriptionIds)
    query = query.where(sql<boolean>`r.subscription_id = any(${filter.subscriptionIds}::int[])`);
  if (filter.contractId !== undefined) query = query.where('r.contract_id', '=', filter.contractId);
  for (const condition of dueAndDelivered(filter)) query = query.where(condition);
  const isOwnOrder =
    page.order.length === ownOrder.length &&
    page.order.every(({ column, descending }, at) => descending && column === ownOrder[at]);
  const part = isOwnOrder ? partOf(days, page) : undefined;
  if (part)
    query = query.where(
      sql<boolean>`r.due_at >= ${part.firstDay}::date::timestamp at time zone 'UTC'
        and r.due_at < (${part.lastDay}::date + 1)::timestamp at time zone 'UTC'`,
    );
  const order = sql.raw(orderBy(page));
  // The inner query selects the runs of the page, so that the joins read only these runs.
  const onPage = query
    .orderBy(order)
    .limit(page.limit)
    .offset(part?.offset ?? page.offset);
  const rows = await runs(executor, sql<boolean>`true`)
    .innerJoin(onPage.as('f'), (on) => on.onRef('f.id', '=', 'r.id').onRef('f.dueAt', '=', 'r.due_at'))
    .select(columns)
    .orderBy(order)
    .execute();
  return { rows, totalCount };
}

export async function isVisibleRun(
  executor: Executor,
  visible: RawBuilder<boolean>,
  id: number,
): Promise<boolean> {
  const run = await runs(executor, visible).select('r.id').where('r.id', '=', id).executeTakeFirst();
  return run !== undefined;
}

/** Finds a run with its stored results; undefined when it is missing or hidden from the caller. */
export async function findRun(
  executor: Executor,
  visible: RawBuilder<boolean>,
  id: number,
): Promise<(HistoryRow & { storedResults: unknown; isMessageKept: boolean }) | undefined> {
  return runs(executor, visible)
    .select(columns)
    .select([
      'r.stored_results as storedResults',
      sql<boolean>`r.message_sealed is not null`.as('isMessageKept'),
    ])
    .where('r.id', '=', id)
    .executeTakeFirst();
}

/** Texts of one version of a query. */
export type QueryTexts = {
  readonly finalQuery: string | null;
  readonly steps: readonly { readonly order: number; readonly sql: string }[];
};

export async function findQueryTexts(executor: Executor, versionId: number): Promise<QueryTexts | undefined> {
  const { rows } = await executor.query<QueryTexts>(
    `select final_query as "finalQuery",
       coalesce((select jsonb_agg(jsonb_build_object('order', s.number, 'sql', s.step->>'sql') order by s.number)
         from jsonb_array_elements(v.steps) with ordinality as s (step, number)), '[]') as steps
     from svc.query_versions v where v.id = $1`,
    [versionId],
  );
  return rows[0];
}

/** Returns the deliveries of a run by recipient and attempt, at most 2000. */
export async function listDeliveries(
  executor: Executor,
  run: { readonly id: number; readonly dueAt: Date },
): Promise<DeliveryRow[]> {
  const { rows } = await executor.query<DeliveryRow>(
    `select d.id, d.recipient_id as "recipientId", rc.name as "recipientName", rc.notification_type as "notificationType",
       d.attempt, d.origin, coalesce(o.display_name, o.user_name) as "orderedBy", d.state, d.reason, d.notes,
       d.message_id as "messageId", d.remote_id as "remoteId", m.row_count as "rowCount", d.bytes_sent as "bytesSent",
       d.due_at as "dueAt",
       d.http_class as "httpClass", d.started_at as "startedAt", d.finished_at as "finishedAt",
       d.duration_ms as "durationMs", d.retry_after_seconds as "retryAfterSeconds"
     from svc.deliveries d join svc.recipients rc on rc.id = d.recipient_id
     left join svc.users o on o.id = d.ordered_by_user_id
     left join svc.run_messages m on m.run_id = d.run_id and m.run_due_at = d.run_due_at and m.no = d.message_no
       and m.recipient_id = d.recipient_id
     where d.run_id = $1 and d.run_due_at = $2 order by d.recipient_id, d.attempt, d.id limit 2000`,
    [run.id, run.dueAt],
  );
  return rows;
}

/** Returns the subscriptions that a filter selects. Undefined when it selects all runs, including runs of contracts. */
export async function subscriptionIdsOf(
  executor: Executor,
  filter: {
    readonly subscriptionId?: number | undefined;
    readonly queryId?: number | undefined;
    readonly search?: string | undefined;
  },
): Promise<number[] | undefined> {
  const { subscriptionId, queryId, search } = filter;
  if (subscriptionId === undefined && queryId === undefined && !search) return undefined;
  const { rows } = await executor.query<{ id: number }>(
    `select s.id from svc.subscriptions s join svc.queries q on q.id = s.query_id
     where ($1::int is null or s.id = $1) and ($2::int is null or s.query_id = $2)
       and ($3::text is null or position(lower($3) in lower(q.name)) > 0)`,
    [subscriptionId ?? null, queryId ?? null, search ? search : null],
  );
  return rows.map(({ id }) => id);
}
