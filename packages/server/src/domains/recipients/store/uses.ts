import type { Queryable, Tx } from '../../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../../platform/http/index.ts';

/**
 * Uses of a recipient: live subscriptions and live data contracts. Uses in an archived project do not count: no user
 * can detach them, and they send nothing.
 */
const uses = `(
    select s.id as subscription_id, q.id as query_id, q.name as query_name, null::int as contract_id,
      null::text as contract_name, q.project_id
    from svc.subscription_recipients sr
      join svc.subscriptions s on s.id = sr.subscription_id and s.archived_at is null
      join svc.queries q on q.id = s.query_id
    where sr.recipient_id = $1
    union all
    select null, null, null, c.id, c.name, c.project_id
    from svc.contract_recipients cr
      join svc.data_contracts c on c.id = cr.contract_id and c.archived_at is null
    where cr.recipient_id = $1) u
  join svc.projects p on p.id = u.project_id and p.archived_at is null`;

/** Counts the live subscriptions and data contracts that send to a recipient. */
export async function useCountOf(executor: Queryable, id: number): Promise<number> {
  const { rows } = await executor.query<{ count: number }>(`select count(*) as count from ${uses}`, [id]);
  return rows[0]?.count ?? 0;
}

export type RecipientUseRow = {
  subscriptionId: number | null;
  queryId: number | null;
  queryName: string | null;
  contractId: number | null;
  contractName: string | null;
  projectId: number;
  projectName: string;
};

export const usesSortable = {
  queryName: 'coalesce(u.query_name, u.contract_name) collate "C"',
  projectName: 'p.name collate "C"',
  subscriptionId: 'u.subscription_id',
} as const;

/** Gives uses with the same name a stable order. */
export const usesUnique = '(u.subscription_id, u.contract_id)';

/** Returns one page of the uses of a recipient; `projectIds` null: of every project. */
export async function listUses(
  executor: Queryable,
  id: number,
  projectIds: readonly number[] | null,
  page: PageRequest,
): Promise<{ rows: RecipientUseRow[]; totalCount: number }> {
  const from = `from ${uses} where ($2::int[] is null or u.project_id = any($2::int[]))`;
  const counted = await executor.query<{ count: number }>(`select count(*) as count ${from}`, [
    id,
    projectIds,
  ]);
  const { rows } = await executor.query<RecipientUseRow>(
    `select u.subscription_id as "subscriptionId", u.query_id as "queryId", u.query_name as "queryName",
       u.contract_id as "contractId", u.contract_name as "contractName", p.id as "projectId", p.name as "projectName"
     ${from} order by ${orderBy(page)} limit $3 offset $4`,
    [id, projectIds, page.limit, page.offset],
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

/** Returns the ids of the projects with subscriptions or data contracts that use the recipient. */
export async function projectsOfRecipient(tx: Tx, id: number): Promise<number[]> {
  const { rows } = await tx.query<{ projectId: number }>(
    `select distinct u.project_id as "projectId" from ${uses}`,
    [id],
  );
  return rows.map((row) => row.projectId);
}
