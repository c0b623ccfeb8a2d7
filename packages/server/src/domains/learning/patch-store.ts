import type { PatchState } from '@svc/contract';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { orderBy, type PageRequest, type Sortable } from '../../platform/http/index.ts';
import { type Reach, readableProjects } from '../projects/index.ts';
import type { PatternContent } from './mining/pattern.ts';

export type PatchRow = {
  readonly id: number;
  readonly projectId: number;
  readonly projectName: string;
  readonly dataSourceId: number;
  readonly patternId: number;
  readonly section: 'Notes';
  readonly table: string;
  readonly content: PatternContent;
  readonly currentContent: string | null;
  readonly currentVersion: number;
  readonly proposedContent: string;
  readonly signalCount: number;
  readonly callerCount: number;
  readonly state: PatchState;
  readonly decidedByUserName: string | null;
  readonly decidedAt: Date | null;
  readonly rightLevel: number;
  readonly createdTime: Date;
};

export const patchSortable: Sortable = {
  supportingSignalCount: 'k.signal_count',
  createdTime: 'c.created_time',
};

const columns = `c.id, c.project_id as "projectId", p.name as "projectName", k.data_source_id as "dataSourceId",
  k.id as "patternId", c.section_kind as section, k.table_name as "table", k.content, s.content as "currentContent",
  coalesce(s.version, 0) as "currentVersion", c.content as "proposedContent", k.signal_count as "signalCount",
  k.caller_count as "callerCount", c.state, u.user_name as "decidedByUserName", c.decided_at as "decidedAt",
  reach.right_level as "rightLevel", c.created_time as "createdTime"`;

type PatchFilter = {
  readonly projectId: number | null;
  readonly state: PatchState | null;
  readonly id: number | null;
};

function readablePatches(reach: Reach, { projectId, state, id }: PatchFilter) {
  const readable = readableProjects(reach, 4);
  const from = `svc.documentation_patches c join (${readable.text}) reach on reach.project_id = c.project_id
    join svc.projects p on p.id = c.project_id join svc.learned_patterns k on k.id = c.pattern_id
    left join svc.documentation_sections s on s.project_id = c.project_id and s.kind = c.section_kind
    left join svc.users u on u.id = c.decided_by_user_id
    where ($1::int is null or c.project_id = $1) and ($2::text is null or c.state = $2) and ($3::int is null or c.id = $3)`;
  return { from, values: [projectId, state, id, ...readable.values] };
}

export async function listPatches(
  executor: Executor,
  reach: Reach,
  filter: Omit<PatchFilter, 'id'>,
  page: PageRequest,
): Promise<{ rows: PatchRow[]; totalCount: number }> {
  const { from, values } = readablePatches(reach, { ...filter, id: null });
  const { rows } = await executor.query<PatchRow>(
    `select ${columns} from ${from} order by ${orderBy(page)} limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, page.limit, page.offset],
  );
  const counted = await executor.query<{ count: number }>(
    `select count(*)::int as count from ${from}`,
    values,
  );
  return { rows, totalCount: counted.rows[0]?.count ?? 0 };
}

export async function findPatch(
  executor: Executor,
  reach: Reach,
  id: number,
  { forUpdate = false } = {},
): Promise<PatchRow | undefined> {
  const { from, values } = readablePatches(reach, { projectId: null, state: null, id });
  const lock = forUpdate ? 'for no key update of c' : '';
  const { rows } = await executor.query<PatchRow>(`select ${columns} from ${from} ${lock}`, values);
  return rows[0];
}

/** Proposes a patch for a pattern once. A decided patch does not change; a superseded patch is proposed again. */
export async function proposePatch(
  tx: Tx,
  patch: { readonly projectId: number; readonly patternId: number; readonly content: string },
): Promise<void> {
  await tx.query(
    `insert into svc.documentation_patches as c (project_id, pattern_id, content) values ($1, $2, $3)
     on conflict (pattern_id) do update set content = excluded.content, state = 'Proposed'
       where c.state in ('Proposed', 'Superseded')`,
    [patch.projectId, patch.patternId, patch.content],
  );
}

export async function decidePatch(
  tx: Tx,
  id: number,
  state: 'Applied' | 'Rejected',
  userId: number | null,
): Promise<void> {
  await tx.query(
    'update svc.documentation_patches set state = $2, decided_by_user_id = $3, decided_at = now() where id = $1',
    [id, state, userId],
  );
}

/** Supersedes the proposed patch of a pattern. */
export async function withdrawPatch(tx: Tx, patternId: number): Promise<void> {
  await tx.query(
    `update svc.documentation_patches set state = 'Superseded' where pattern_id = $1 and state = 'Proposed'`,
    [patternId],
  );
}
