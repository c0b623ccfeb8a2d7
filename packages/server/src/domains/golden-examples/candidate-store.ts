import type { CandidateState, FeedbackVerdict } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';

type About = {
  readonly id: number;
  readonly projectId: number;
  readonly projectName: string;
  readonly dataSourceId: number | null;
  readonly dataSourceName: string | null;
  readonly question: string;
  readonly verdict: FeedbackVerdict;
  readonly comment: string | null;
  readonly userName: string | null;
};

export type FeedbackRow = About & {
  readonly sql: string | null;
  readonly rightSql: string | null;
  readonly basis: 'Checked' | 'Model' | null;
  readonly givenAt: Date;
};

export type CandidateRow = About & {
  readonly sql: string;
  readonly state: CandidateState;
  readonly goldenExampleId: number | null;
  readonly proposedAt: Date;
  readonly decidedAt: Date | null;
};

export const feedbackSortable: Sortable = { givenAt: 'f.given_at' };
export const candidateSortable: Sortable = { proposedAt: 'k.proposed_at' };

const about = `f.project_id as "projectId", p.name as "projectName", d.id as "dataSourceId", d.name as "dataSourceName",
  f.question, f.verdict, f.comment, u.display_name as "userName"`;
const aboutFrom = `svc.answer_feedback f join svc.projects p on p.id = f.project_id and p.archived_at is null
  left join svc.data_sources d on d.id = f.data_source_id and d.archived_at is null
  left join svc.users u on u.id = f.user_id`;
/** SQL of the correct statement: the user's own, or the answer's when the user confirmed it. */
const rightSql = `coalesce(f.right_sql, case when f.verdict = 'Right' then f.sql end)`;

async function countedPage<Row>(
  executor: Executor,
  parts: { readonly columns: string; readonly from: string; readonly where: string },
  values: readonly unknown[],
  page: PageRequest,
): Promise<{ rows: Row[]; totalCount: number }> {
  const { columns, from, where } = parts;
  const at = values.length;
  const { rows } = await executor.query(
    `select ${columns} from ${from} where ${where} order by ${orderBy(page)} limit $${at + 1} offset $${at + 2}`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from ${from} where ${where}`,
    [...values],
  );
  return { rows: rows as Row[], totalCount: counted.rows[0]?.count ?? 0 };
}

export const listFeedback = (
  executor: Executor,
  filter: { readonly projectId: number | null; readonly verdict: FeedbackVerdict | null },
  page: PageRequest,
) =>
  countedPage<FeedbackRow>(
    executor,
    {
      columns: `f.id, ${about}, f.sql, f.right_sql as "rightSql", f.basis, f.given_at as "givenAt"`,
      from: aboutFrom,
      where: '($1::int is null or f.project_id = $1) and ($2::text is null or f.verdict = $2)',
    },
    [filter.projectId, filter.verdict],
    page,
  );

const candidateColumns = `k.id, ${about}, ${rightSql} as sql, k.state, k.golden_example_id as "goldenExampleId",
  k.proposed_at as "proposedAt", k.decided_at as "decidedAt"`;
const candidateFrom = `${aboutFrom} join svc.golden_candidates k on k.feedback_id = f.id`;

export const listCandidates = (
  executor: Executor,
  filter: { readonly projectId: number | null; readonly state: CandidateState },
  page: PageRequest,
) =>
  countedPage<CandidateRow>(
    executor,
    {
      columns: candidateColumns,
      from: candidateFrom,
      where: '($1::int is null or f.project_id = $1) and k.state = $2',
    },
    [filter.projectId, filter.state],
    page,
  );

export async function findCandidate(executor: Executor, id: number): Promise<CandidateRow | undefined> {
  const { rows } = await executor.query<CandidateRow>(
    `select ${candidateColumns} from ${candidateFrom} where k.id = $1`,
    [id],
  );
  return rows[0];
}

/** Decides a candidate once. Returns false when it is already decided. */
export async function decideCandidate(
  tx: Tx,
  id: number,
  decision: {
    readonly state: 'Promoted' | 'Dismissed';
    readonly userId: number | null;
    readonly goldenExampleId: number | null;
  },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update svc.golden_candidates set state = $2, decided_by_user_id = $3, golden_example_id = $4, decided_at = now()
      where id = $1 and state = 'Proposed'`,
    [id, decision.state, decision.userId, decision.goldenExampleId],
  );
  return (rowCount ?? 0) > 0;
}

/**
 * Proposes feedback as an example when it names a correct statement that was not already checked. Withdraws the
 * proposal when the feedback no longer names one.
 */
export async function proposeCandidate(tx: Tx, feedbackId: number): Promise<void> {
  await tx.query(
    `insert into svc.golden_candidates (feedback_id)
     select f.id from svc.answer_feedback f where f.id = $1 and f.data_source_id is not null
       and ${rightSql} is not null and f.basis is distinct from 'Checked'
     on conflict (feedback_id) do nothing`,
    [feedbackId],
  );
  await tx.query(
    `delete from svc.golden_candidates k using svc.answer_feedback f
      where f.id = k.feedback_id and f.id = $1 and k.state = 'Proposed' and ${rightSql} is null`,
    [feedbackId],
  );
}
