import type { Executor } from '../../platform/db/index.ts';
import { orderBy, type PageRequest } from '../../platform/http/index.ts';

export type CandidateRow = { readonly id: number; readonly name: string };

/** Sort names of the list. */
export const candidateSortable = { name: 'c.name collate "C"', id: 'c.id' } as const;

/**
 * Returns one page of the users who may sign in and read a project. These are Admins and, among other readers, all
 * users for an open project or the members of a restricted one. An assignment checks the rights again.
 */
export async function listCandidates(
  executor: Executor,
  projectId: number,
  search: string | null,
  page: PageRequest,
): Promise<{ rows: CandidateRow[]; totalCount: number }> {
  const candidates = `(select u.id, coalesce(u.display_name, u.user_name) as name
    from svc.users u, svc.projects p
    where p.id = $1 and u.is_enabled and u.archived_at is null
      and (u.is_super_admin or exists (select from svc.user_roles r where r.user_id = u.id and r.role = 'Admin')
        or (exists (select from svc.user_roles r where r.user_id = u.id and r.role in ('Viewer', 'Editor'))
          and (p.access_mode = 'Open'
            or exists (select from svc.project_members m where m.project_id = p.id and m.user_id = u.id))))
      and ($2::text is null or position(lower($2) in lower(coalesce(u.display_name, u.user_name))) > 0)) c`;
  const values = [projectId, search];
  const { rows: counted } = await executor.query<{ count: number }>(
    `select count(*) as count from ${candidates}`,
    values,
  );
  const { rows } = await executor.query<CandidateRow>(
    `select c.id, c.name from ${candidates} order by ${orderBy(page)} limit $3 offset $4`,
    [...values, page.limit, page.offset],
  );
  return { rows, totalCount: counted[0]?.count ?? 0 };
}
