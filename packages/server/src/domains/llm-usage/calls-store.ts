import type { LlmCallRecord } from '@svc/contract';
import type { Executor, Queryable } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

export type CallRow = Omit<LlmCallRecord, 'startedAt'> & { readonly startedAt: Date };

export const callSortable: Sortable = { startedAt: 'c.started_at' };

export async function listCalls(
  executor: Executor,
  keepDays: number,
  page: PageRequest,
): Promise<{ rows: CallRow[]; totalCount: number }> {
  const { rows } = await executor.query<CallRow>(
    `select c.id::float8 as id, c.purpose, c.model, c.user_id as "userId", u.display_name as "userName",
       c.project_id as "projectId", p.name as "projectName", c.started_at as "startedAt",
       round(extract(epoch from c.finished_at - c.started_at) * 1000)::int as "durationMs", c.outcome,
       c.input_tokens::float8 as "inputTokens", c.output_tokens::float8 as "outputTokens",
       c.is_estimated as "isEstimated",
       case when c.input_price is not null then (c.cost_micros / 1e6)::float8 end as cost, c.prompt_hash as "promptHash",
       exists (select from svc.llm_contents k where k.call_id = c.id
         and k.kept_at > now() - $1 * interval '1 day') as "isContentKept"
     from svc.llm_calls c left join svc.users u on u.id = c.user_id left join svc.projects p on p.id = c.project_id
     order by ${orderBy(page)} limit $2 offset $3`,
    [keepDays, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>('select count(*)::int as count from svc.llm_calls');
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export async function insertContent(executor: Queryable, callId: number, sealed: string): Promise<void> {
  await executor.query('insert into svc.llm_contents (call_id, content_sealed) values ($1, $2)', [
    callId,
    sealed,
  ]);
}

/** Returns the content of a call; undefined when it was not stored or its retention has ended. */
export async function findContent(
  executor: Queryable,
  callId: number,
  keepDays: number,
): Promise<{ readonly sealed: string; readonly keptUntil: Date } | undefined> {
  const { rows } = await executor.query<{ sealed: string; keptUntil: Date }>(
    `select k.content_sealed as sealed, k.kept_at + $2 * interval '1 day' as "keptUntil" from svc.llm_contents k
     where k.call_id = $1 and k.kept_at > now() - $2 * interval '1 day'`,
    [callId, keepDays],
  );
  return rows[0];
}

export async function dropOldContents(executor: Queryable, keepDays: number, limit: number): Promise<number> {
  const { rowCount } = await executor.query(
    `delete from svc.llm_contents where call_id in (
       select call_id from svc.llm_contents where kept_at < now() - $1 * interval '1 day' order by kept_at limit $2)`,
    [keepDays, limit],
  );
  return rowCount ?? 0;
}
