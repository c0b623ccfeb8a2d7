import { type RawBuilder, sql } from 'kysely';
import type { Reach } from './access.ts';

/** A piece of SQL with the values of its parameters. */
export type Fragment = { readonly text: string; readonly values: readonly unknown[] };

const roleLevel =
  "case m.role when 'Viewer' then 1 when 'Editor' then 2 when 'ProjectAdmin' then 3 else 0 end";

/** What decides which live projects a caller can read, and with which right. */
export type Readability = {
  /** Holds for the live projects within reach; of `svc.projects` as `p`. */
  readonly condition: string;
  /** The level of the right (1 Read, 2 Write, 3 Manage) in a readable project, whose columns stand under this name. */
  readonly levelIn: (project: string) => string;
};

/** @param first number of the first parameter: the `reachValues` go there, in order. */
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

/** The values of a reach, in the order of its parameters. */
export function reachValues(reach: Reach): unknown[] {
  const values: unknown[] = [];
  if (isWeighed(reach)) {
    if (reach.userId !== null) values.push(reach.userId);
    if (reach.hostLevels !== null) values.push(JSON.stringify(reach.hostLevels));
  }
  if (reach.projectIds !== null) values.push(reach.projectIds);
  return values;
}

/** Reaches of the same shape have the same texts, and differ in their values only. */
export const shapeOf = ({ userId, hostLevels, projectIds, ...levels }: Reach): string =>
  `${levels.everywhere} ${levels.inOpen} ${levels.memberMax} ${levels.credentialMax} ${userId !== null} ${hostLevels !== null} ${projectIds !== null}`;

/**
 * The one fragment that says which live projects a caller can read and with which right: a `select` with the
 * columns `project_id` and `right_level`. Which rows it holds is decided before the right is weighed, so that a list
 * weighs it for the rows of its page only.
 *
 * @param first number of its first parameter; `values` go there, in order.
 * @param columns more columns of `svc.projects` as `p`, written by us, never by a caller.
 */
export function readableProjects(reach: Reach, first: number, columns: readonly string[] = []): Fragment {
  const { condition, levelIn } = readability(reach, first);
  const selected = ['p.id as project_id', `${levelIn('p')} as right_level`, ...columns];
  const text = `select ${selected.join(', ')} from svc.projects p where ${condition}`;
  return { text, values: reachValues(reach) };
}

/** Whether memberships count at all. */
const isWeighed = (reach: Reach): boolean =>
  reach.everywhere === 0 && reach.inOpen > 0 && reach.credentialMax > 0;

/** Where memberships stand, stored ones and those that the host keeps: which projects, and the level in one. */
type Memberships = { readonly isMember: string; readonly levelIn: (project: string) => string };

function membershipsOf(reach: Reach, parameter: (type: string) => string): Memberships[] {
  const found: Memberships[] = [];
  if (reach.userId !== null) {
    const user = parameter('int');
    found.push({
      isMember: `p.id in (select m.project_id from svc.project_members m where m.user_id = ${user})`,
      levelIn: (project) =>
        `(select ${roleLevel} from svc.project_members m where m.project_id = ${project}.id and m.user_id = ${user})`,
    });
  }
  if (reach.hostLevels !== null) {
    const levels = parameter('jsonb');
    found.push({
      isMember: `${levels} ? p.id::text`,
      levelIn: (project) => `(${levels} ->> ${project}.id::text)::int`,
    });
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
function rightLevel(reach: Reach, members: readonly Memberships[], project: string): string {
  const { everywhere, inOpen, memberMax, credentialMax } = reach;
  if (everywhere > 0) return `${everywhere}`;
  const inOpenOnly = Math.min(inOpen, credentialMax);
  if (members.length === 0) return `${inOpenOnly}`;
  const memberOnly = Math.min(memberMax, credentialMax);
  // Whatever is readable is read, and nothing more: no row has to be weighed.
  if (memberOnly === 1 && inOpenOnly === 1) return '1';
  // LEAST and GREATEST pass over what is null: no membership has to be a 0.
  const levels = members.map(({ levelIn }) => levelIn(project)).join(', ');
  const member = `least(greatest(${levels}, 0), ${memberOnly})`;
  const inOpenProject = (other: string) =>
    `case ${project}.access_mode when 'Open' then ${inOpenOnly} else ${other} end`;
  // In an open project a membership counts only when it lets manage, which is more than any role has there. Weighed
  // in one place of the text: each place would be a plan of its own.
  return memberOnly > inOpenOnly ? `greatest(${inOpenProject('0')}, ${member})` : inOpenProject(member);
}
