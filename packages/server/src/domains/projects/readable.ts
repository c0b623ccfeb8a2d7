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
  const isWeighed = reach.everywhere === 0 && reach.inOpen > 0 && reach.credentialMax > 0;
  const user = isWeighed && reach.userId !== null ? parameter(reach.userId, 'int') : null;
  const conditions = ['p.archived_at is null', ...isReadable(reach, user)];
  if (reach.projectIds !== null) conditions.push(`p.id = any(${parameter(reach.projectIds, 'int[]')})`);
  const text = `select p.id as project_id, ${rightLevel(reach, user)} as right_level${columns.map((column) => `, ${column}`).join('')}
    from svc.projects p where ${conditions.join(' and ')}`;
  return { text, values };
}

/** Whoever reads open projects reads the restricted ones of which they are a member. */
function isReadable(reach: Reach, user: string | null): string[] {
  if (reach.everywhere > 0) return [];
  if (reach.inOpen === 0 || reach.credentialMax === 0) return ['false'];
  if (user === null) return ["p.access_mode = 'Open'"];
  return [
    `(p.access_mode = 'Open' or p.id in (select m.project_id from svc.project_members m where m.user_id = ${user}))`,
  ];
}

/** Levels are numbers of ours, so they stand in the text: what is known beforehand is not weighed row by row. */
function rightLevel(reach: Reach, user: string | null): string {
  const { everywhere, inOpen, memberMax, credentialMax } = reach;
  if (everywhere > 0) return `${everywhere}`;
  const inOpenOnly = Math.min(inOpen, credentialMax);
  if (user === null) return `${inOpenOnly}`;
  const member = `(select least(${roleLevel}, ${Math.min(memberMax, credentialMax)})
      from svc.project_members m where m.project_id = p.id and m.user_id = ${user})`;
  // In an open project a membership counts only when it lets manage.
  const open =
    Math.min(memberMax, credentialMax) === 3
      ? `case when ${member} = 3 then 3 else ${inOpenOnly} end`
      : inOpenOnly;
  return `case p.access_mode when 'Open' then ${open} else ${member} end`;
}
