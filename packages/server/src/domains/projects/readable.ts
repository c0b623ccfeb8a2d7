import { type RawBuilder, sql } from 'kysely';
import type { Reach } from './access.ts';

const roleLevel =
  "case m.role when 'Viewer' then 1 when 'Editor' then 2 when 'ProjectAdmin' then 3 else 0 end";

/**
 * Text of the one fragment that says which live projects a caller can read and with which right. Its parameters
 * are `reachValues`, from number `first` on. Columns: `project_id`, `right_level` (1 Read, 2 Write, 3 Manage).
 *
 * @param columns more columns of `svc.projects` as `p`, written by us, never by a caller.
 */
export function readableProjectsText(first: number, columns: readonly string[] = []): string {
  const [user, everywhere, inOpen, memberMax, credentialMax, projectIds, host] = [0, 1, 2, 3, 4, 5, 6].map(
    (offset) => `$${first + offset}`,
  );
  const hostLevel = `case when ${host}::jsonb is null then 0 else coalesce((${host}::jsonb ->> p.id::text)::int, 0) end`;
  const member = `least(greatest(${roleLevel}, ${hostLevel}), ${memberMax}::int)`;
  const level = `case p.access_mode when 'Open'
      then greatest(${inOpen}::int, case when ${member} = 3 then 3 else 0 end) else ${member} end`;
  return `select p.id as project_id, r.right_level${columns.map((column) => `, ${column}`).join('')}
    from svc.projects p
    left join svc.project_members m on m.project_id = p.id and m.user_id = ${user}::int
    cross join lateral (select greatest(${everywhere}::int, least(${credentialMax}::int, ${level})) as right_level) r
   where p.archived_at is null and r.right_level >= 1
     and (${projectIds}::int[] is null or p.id = any(${projectIds}::int[]))`;
}

export const reachParameterCount = 7;

/** Values of the fragment's parameters, in order. */
export const reachValues = (reach: Reach): unknown[] => [
  reach.userId,
  reach.everywhere,
  reach.inOpen,
  reach.memberMax,
  reach.credentialMax,
  reach.projectIds,
  reach.hostLevels && JSON.stringify(reach.hostLevels),
];

/** The same fragment for Kysely: a sub-select to be joined or selected from, `(…) as alias`. */
export function readableProjects(reach: Reach): RawBuilder<{ project_id: number; right_level: number }> {
  const values = reachValues(reach);
  const pieces = readableProjectsText(1).split(/(\$\d+)/);
  return sql`(${sql.join(
    pieces.map((piece) =>
      /^\$\d+$/.test(piece) ? sql`${values[Number(piece.slice(1)) - 1]}` : sql.raw(piece),
    ),
    sql.raw(''),
  )})`;
}
