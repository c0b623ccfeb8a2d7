import { type RawBuilder, sql } from 'kysely';
import type { Reach } from './access.ts';

/** SQL text with the values of its parameters. */
export type Fragment = { readonly text: string; readonly values: readonly unknown[] };

const roleLevel =
  "case m.role when 'Viewer' then 1 when 'Editor' then 2 when 'ProjectAdmin' then 3 else 0 end";

/** SQL expressions for the live projects that a caller can read, and for the right in each. */
export type Readability = {
  /** Condition on `svc.projects` as `p`: true for the live projects within reach. */
  readonly condition: string;
  /** Returns the level of the right (1 Read, 2 Write, 3 Manage) in a readable project, as SQL for this alias. */
  readonly levelIn: (project: string) => string;
};

/**
 * Returns the SQL expressions of a reach.
 *
 * @param first number of the first parameter: the `reachValues` go there, in order.
 */
export function readability(reach: Reach, first: number): Readability {
  let next = first;
  const parameter = (type: string): string => `$${next++}::${type}`;
  const members = isWeighed(reach) ? membershipsOf(reach, parameter) : [];
  const conditions = ['p.archived_at is null', ...isReadable(reach, members)];
  if (reach.projectIds !== null) conditions.push(`p.id = any(${parameter('int[]')})`);
  return {
    condition: conditions.join(' and '),
    levelIn: (project) => rightLevel(reach, members, project),
  };
}

/** Returns the parameter values of a reach, in the order of the parameters. */
export function reachValues(reach: Reach): unknown[] {
  const values: unknown[] = [];
  if (isWeighed(reach)) {
    if (reach.userId !== null) values.push(reach.userId);
    if (reach.hostLevels !== null) values.push(JSON.stringify(reach.hostLevels));
  }
  if (reach.projectIds !== null) values.push(reach.projectIds);
  return values;
}

/** Returns a key of the SQL text. Reaches with the same key have the same text and differ only in their values. */
export const shapeOf = ({ userId, hostLevels, projectIds, ...levels }: Reach): string =>
  `${levels.everywhere} ${levels.inOpen} ${levels.memberMax} ${levels.credentialMax} ${userId !== null} ${hostLevels !== null} ${projectIds !== null}`;

/**
 * Returns a `select` for the live projects that a caller can read, with the columns `project_id` and `right_level`. The
 * condition does not depend on the right. A list therefore computes the right only for the rows of its page.
 *
 * @param first number of its first parameter; `values` go there, in order.
 * @param columns more columns of `svc.projects` as `p`. Use constants only, never input from a caller.
 */
export function readableProjects(reach: Reach, first: number, columns: readonly string[] = []): Fragment {
  const { condition, levelIn } = readability(reach, first);
  const selected = ['p.id as project_id', `${levelIn('p')} as right_level`, ...columns];
  const text = `select ${selected.join(', ')} from svc.projects p where ${condition}`;
  return { text, values: reachValues(reach) };
}

/** Returns true if memberships affect the right. */
const isWeighed = (reach: Reach): boolean =>
  reach.everywhere === 0 && reach.inOpen > 0 && reach.credentialMax > 0;

/** SQL for one source of memberships (stored, or from the host): the condition, and the level in a project. */
type Memberships = { readonly isMember: string; readonly levelIn: (project: string) => string };

function membershipsOf(reach: Reach, parameter: (type: string) => string): Memberships[] {
  const memberships: Memberships[] = [];
  if (reach.userId !== null) {
    const user = parameter('int');
    memberships.push({
      isMember: `p.id in (select m.project_id from svc.project_members m where m.user_id = ${user})`,
      levelIn: (project) =>
        `(select ${roleLevel} from svc.project_members m where m.project_id = ${project}.id and m.user_id = ${user})`,
    });
  }
  if (reach.hostLevels !== null) {
    const levels = parameter('jsonb');
    memberships.push({
      isMember: `${levels} ? p.id::text`,
      levelIn: (project) => `(${levels} ->> ${project}.id::text)::int`,
    });
  }
  return memberships;
}

/** Returns the fragment for Kysely: a sub-select to join or to select from, `(…) as alias`. */
export function readableProjectsTable(reach: Reach): RawBuilder<{ project_id: number; right_level: number }> {
  const { text, values } = readableProjects(reach, 1);
  const pieces = text.split(/(\$\d+)/).map((piece) => {
    const [, number] = /^\$(\d+)$/.exec(piece) ?? [];
    return number === undefined ? sql.raw(piece) : sql`${values[Number(number) - 1]}`;
  });
  return sql`(${sql.join(pieces, sql.raw(''))})`;
}

/** Returns the condition for readable projects: open projects, and restricted projects with a membership. */
function isReadable(reach: Reach, members: readonly Memberships[]): string[] {
  if (reach.everywhere > 0) return [];
  if (!isWeighed(reach)) return ['false'];
  return [`(${["p.access_mode = 'Open'", ...members.map(({ isMember }) => isMember)].join(' or ')})`];
}

/**
 * Returns the level of the right as SQL. Levels are constants of this module, so the text contains them. PostgreSQL
 * does not recompute constant results for each row.
 */
function rightLevel(reach: Reach, members: readonly Memberships[], project: string): string {
  const { everywhere, inOpen, memberMax, credentialMax } = reach;
  if (everywhere > 0) return `${everywhere}`;
  const inOpenOnly = Math.min(inOpen, credentialMax);
  if (members.length === 0) return `${inOpenOnly}`;
  const memberOnly = Math.min(memberMax, credentialMax);
  // Every readable project has exactly the level 1, so no row needs a computation.
  if (memberOnly === 1 && inOpenOnly === 1) return '1';
  // LEAST and GREATEST ignore NULL, so a missing membership needs no 0.
  const levels = members.map(({ levelIn }) => levelIn(project)).join(', ');
  const member = `least(greatest(${levels}, 0), ${memberOnly})`;
  const inOpenProject = (other: string) =>
    `case ${project}.access_mode when 'Open' then ${inOpenOnly} else ${other} end`;
  // In an open project a membership counts only if it gives Manage, which exceeds all global roles there. The text
  // contains the sub-select once, because PostgreSQL plans each occurrence separately.
  return memberOnly > inOpenOnly ? `greatest(${inOpenProject('0')}, ${member})` : inOpenProject(member);
}
