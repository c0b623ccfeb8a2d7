import type { RejectedRow } from '../../../gateways/copy-data/index.ts';
import type { Executor } from '../../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../../platform/http/index.ts';

export async function insertRejected(
  executor: Executor,
  id: number,
  firstNo: number,
  rows: readonly RejectedRow[],
): Promise<void> {
  await executor.query(
    `insert into svc.migration_rejected_rows (execution_id, execution_created_time, no, row_number, key, column_name, code)
      select $1, e.created_time, $2 + r.ordinality - 1, r.row_number, left(r.key, 500), r.column_name, r.code
      from svc.migration_executions e,
        rows from (jsonb_to_recordset($3::jsonb) as (row_number bigint, key text, column_name text, code text))
          with ordinality as r (row_number, key, column_name, code, ordinality)
      where e.id = $1
      on conflict (execution_id, execution_created_time, no) do nothing`,
    [
      id,
      firstNo,
      JSON.stringify(
        rows.map(({ rowNumber, key, column, code }) => ({
          row_number: rowNumber,
          code,
          key: key?.replaceAll('\0', '') ?? null,
          column_name: column,
        })),
      ),
    ],
  );
}

/** Deletes rejected rows of an earlier claim. */
export async function clearRejected(executor: Executor, id: number): Promise<void> {
  await executor.query('delete from svc.migration_rejected_rows where execution_id = $1', [id]);
}

export type RejectedRowRow = { rowNumber: number; key: string | null; column: string | null; code: string };

export async function listRejected(
  executor: Executor,
  id: number,
  page: PageRequest,
): Promise<{ rows: RejectedRowRow[]; totalCount: number }> {
  const { rows } = await executor.query<RejectedRowRow>(
    `select row_number as "rowNumber", key, column_name as column, code from svc.migration_rejected_rows r
      where execution_id = $1 order by ${orderBy(page)} limit $2 offset $3`,
    [id, page.limit, page.offset],
  );
  const { rows: countRows } = await executor.query<{ count: number }>(
    'select count(*)::int as count from svc.migration_rejected_rows where execution_id = $1',
    [id],
  );
  return { rows, totalCount: countRows[0]?.count ?? 0 };
}
