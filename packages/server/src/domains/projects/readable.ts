import { type RawBuilder, sql } from 'kysely';
import type { Reach } from './access.ts';

/** A piece of SQL with the values of its parameters. */
export type Fragment = { readonly text: string; readonly values: readonly unknown[] };

const roleLevel =
  "case m.role when 'Viewer' then 1 when 'Editor' then 2 when 'ProjectAdmin' then 3 else 0 end";

/**
 * The one fragment that says which live projects a caller can read and with which right: a `select` with the
 * columns `project_id` and `right_level` (1 Read, 2 Write, 3 Manage). Which rows it holds is decided before the
 * right is weighed, so that a list weighs it for the rows of its page only.
 *
 * @param first number of its first parameter; `values` go there, in order.
 * @param columns more columns of `svc.projects` as `p`, written by us, never by a caller.
 */
export function readableProjects(reach: Reach, first: number, columns: readonly string[] = []): Fragment {
  const values: unknown[] = [];
  const parameter = (value: unknown, type: string): string => `$${first + values.push(value) - 1}::${type}`;
  const members = isWeighed(reach) ? membershipsOf(reach, parameter) : [];
  const conditions = ['p.archived_at is null', ...isReadable(reach, members)];
  if (reach.projectIds !== null) conditions.push(`p.id = any(${parameter(reach.projectIds, 'int[]')})`);
  const text = `select p.id as project_id, ${rightLevel(reach, members)} as right_level${columns.map((column) => `, ${column}`).join('')}
    from svc.projects p where ${conditions.join(' and ')}`;
  return { text, values };
}

/** Whether memberships count at all. */
const isWeighed = (reach: Reach): boolean =>
  reach.everywhere === 0 && reach.inOpen > 0 && reach.credentialMax > 0;

/** Where memberships stand, stored ones and those that the host keeps: which projects, and the level in `p`. */
type Memberships = { readonly isMember: string; readonly level: string };

function membershipsOf(reach: Reach, parameter: (value: unknown, type: string) => string): Memberships[] {
  const found: Memberships[] = [];
  if (reach.userId !== null) {
    const user = parameter(reach.userId, 'int');
    found.push({
      isMember: `p.id in (select m.project_id from svc.project_members m where m.user_id = ${user})`,
      level: `(select ${roleLevel} from svc.project_members m where m.project_id = p.id and m.user_id = ${user})`,
    });
  }
  if (reach.hostLevels !== null) {
    const levels = parameter(JSON.stringify(reach.hostLevels), 'jsonb');
    found.push({ isMember: `${levels} ? p.id::text`, level: `(${levels} ->> p.id::text)::int` });
  }
  return found;
}

/** The same fragment for Kysely: a sub-select to be joined or selected from, `(…) as alias`. */
export function readableProjectsTable(reach: Reach): RawBuilder<{ project_id: number; right_level: number }> {
  const { text, values } = readableProjects(reach, 1);
  const pieces = text.split(/(\$\d+)/).map((piece) => {
    const [, number] = /^\$(\d+)$/.exec(piece) ?? [];
    return number === undefined ? sql.raw(piece) : sql`${values[Number(number) - 1]}`;
  });
  return sql`(${sql.join(pieces, sql.raw(''))})`;
}

/** Whoever reads open projects reads the restricted ones of which they are a member. */
function isReadable(reach: Reach, members: readonly Memberships[]): string[] {
  if (reach.everywhere > 0) return [];
  if (!isWeighed(reach)) return ['false'];
  return [`(${["p.access_mode = 'Open'", ...members.map(({ isMember }) => isMember)].join(' or ')})`];
}

/** Levels are numbers of ours, so they stand in the text: what is known beforehand is not weighed row by row. */
function rightLevel(reach: Reach, members: readonly Memberships[]): string {
  const { everywhere, inOpen, memberMax, credentialMax } = reach;
  if (everywhere > 0) return `${everywhere}`;
  const inOpenOnly = Math.min(inOpen, credentialMax);
  if (members.length === 0) return `${inOpenOnly}`;
  const memberOnly = Math.min(memberMax, credentialMax);
  // Whatever is readable is read, and nothing more: no row has to be weighed.
  if (memberOnly === 1 && inOpenOnly === 1) return '1';
  // LEAST and GREATEST pass over what is null: no membership has to be a 0.
  const member = `least(greatest(${members.map(({ level }) => level).join(', ')}, 0), ${memberOnly})`;
  // In an open project a membership counts only when it lets manage.
  const open = memberOnly === 3 ? `case when ${member} = 3 then 3 else ${inOpenOnly} end` : inOpenOnly;
  return `case p.access_mode when 'Open' then ${open} else ${member} end`;
}
