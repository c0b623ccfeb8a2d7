import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

export type ConversationRow = {
  readonly id: number;
  readonly projectId: number;
  readonly projectName: string;
  readonly ownerKey: string;
  readonly title: string | null;
  readonly answerCount: number;
  readonly createdTime: Date;
  readonly lastAskedAt: Date | null;
};

export const conversationSortable: Sortable = { createdTime: 'c.created_time' };

const conversationColumns = `c.id, c.project_id as "projectId", p.name as "projectName", c.owner_key as "ownerKey",
  first.question as title, coalesce(asked.count, 0)::int as "answerCount", c.created_time as "createdTime",
  asked.last as "lastAskedAt"`;
const conversationFrom = `svc.conversations c
  join svc.projects p on p.id = c.project_id and p.archived_at is null
  left join lateral (select a.question from svc.answers a where a.conversation_id = c.id order by a.id limit 1) first on true
  left join lateral (select count(*) as count, max(a.asked_at) as last from svc.answers a where a.conversation_id = c.id)
    asked on true`;

/** Lists conversations. @param readable  Ids of projects; null: all projects. */
export async function listConversations(
  executor: Executor,
  filter: {
    readonly ownerKey: string;
    readonly readable: readonly number[] | null;
    readonly projectId: number | null;
  },
  page: PageRequest,
): Promise<{ rows: ConversationRow[]; totalCount: number }> {
  const where = `c.owner_key = $1 and ($2::int[] is null or c.project_id = any($2)) and ($3::int is null or c.project_id = $3)`;
  const values = [filter.ownerKey, filter.readable, filter.projectId];
  const { rows } = await executor.query<ConversationRow>(
    `select ${conversationColumns} from ${conversationFrom} where ${where} order by ${orderBy(page)} limit $4 offset $5`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from svc.conversations c
      join svc.projects p on p.id = c.project_id and p.archived_at is null where ${where}`,
    values,
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export async function insertConversation(
  executor: Executor,
  projectId: number,
  ownerKey: string,
): Promise<number> {
  const { rows } = await executor.query<{ id: number }>(
    'insert into svc.conversations (project_id, owner_key) values ($1, $2) returning id',
    [projectId, ownerKey],
  );
  const [row] = rows;
  if (!row) throw new Error('One conversation was inserted without an id.');
  return row.id;
}

export async function findConversation(executor: Executor, id: number): Promise<ConversationRow | undefined> {
  const { rows } = await executor.query<ConversationRow>(
    `select ${conversationColumns} from ${conversationFrom} where c.id = $1`,
    [id],
  );
  return rows[0];
}

export async function deleteConversation(tx: Tx, id: number): Promise<void> {
  await tx.query('delete from svc.conversations where id = $1', [id]);
}
