import type { AccessMode, ProjectRight, ProjectRole } from '@svc/contract';
import { type Caller, globalLevel, holds, isAdmin } from '../../platform/access/index.ts';

/**
 * How far a caller reaches into projects, as levels: 0 nothing, 1 Read, 2 Write, 3 Manage. Made once a request;
 * the SQL fragment in `readable.ts` and `rightIn` compute the same from it.
 */
export type Reach = {
  /** Whose memberships count; null: nobody's. */
  readonly userId: number | null;
  /** Memberships that the host of the service knows, as levels by project id; null: it keeps none. */
  readonly hostLevels: Readonly<Record<string, number>> | null;
  /**
   * Right in every project whatever its mode: 3 for an administrator in person, what the credential allows for a
   * system of the MCP caller mapping (whose projects are listed), else 0.
   */
  readonly everywhere: number;
  /** Right in an open project by the global role. */
  readonly inOpen: number;
  /** Most that a membership can give under the global role. */
  readonly memberMax: number;
  /** Most that the credential allows: 3 for people, 2 for an Execute key, 1 for a Read key. */
  readonly credentialMax: number;
  /** The only projects within reach; null: all. */
  readonly projectIds: readonly number[] | null;
};

const rightLevels: Readonly<Record<ProjectRight, number>> = { Read: 1, Write: 2, Manage: 3 };
const roleLevels: Readonly<Record<ProjectRole, number>> = { Viewer: 1, Editor: 2, ProjectAdmin: 3 };
const rights: readonly (ProjectRight | null)[] = [null, 'Read', 'Write', 'Manage'];

const editorLevel = 2;

/**
 * The reach of a caller. `withoutBypass` leaves the administrator's bypass out: what a key of theirs could reach.
 */
export function reachOf(caller: Caller, options: { withoutBypass?: boolean } = {}): Reach {
  const level = globalLevel(caller);
  const isEditor = level >= editorLevel;
  const bypass = isAdmin(caller) && !options.withoutBypass ? rightLevels.Manage : 0;
  return {
    userId: caller.userId,
    hostLevels: caller.hostMemberships ? levelsOf(caller.hostMemberships) : null,
    everywhere: isMappedSystem(caller) ? credentialMax(caller) : bypass,
    inOpen: Math.min(level, rightLevels.Write),
    memberMax: isEditor ? rightLevels.Manage : level,
    credentialMax: credentialMax(caller),
    projectIds: caller.allowedProjectIds,
  };
}

/** A program of the MCP caller mapping is no user and so no member: the operator's list of projects is its right. */
const isMappedSystem = ({ kind, userId, allowedProjectIds }: Caller): boolean =>
  kind === 'mcpCaller' && userId === null && allowedProjectIds !== null;

const levelsOf = (memberships: ReadonlyMap<number, ProjectRole>): Record<string, number> =>
  Object.fromEntries([...memberships].map(([projectId, role]) => [projectId, roleLevels[role]]));

function credentialMax({ scopes }: Caller): number {
  if (scopes === null) return rightLevels.Manage;
  // A key never manages, whatever its owner may.
  if (scopes.has('Execute')) return rightLevels.Write;
  return scopes.has('Read') ? rightLevels.Read : 0;
}

/** The right in one project, or null for none: the same rule as the SQL fragment has. */
export function rightIn(
  reach: Reach,
  project: { readonly id: number; readonly accessMode: AccessMode; readonly memberRole: ProjectRole | null },
): ProjectRight | null {
  if (reach.projectIds !== null && !reach.projectIds.includes(project.id)) return null;
  const stored = project.memberRole === null ? 0 : roleLevels[project.memberRole];
  const member = Math.min(Math.max(stored, reach.hostLevels?.[project.id] ?? 0), reach.memberMax);
  const isManager = member === rightLevels.Manage;
  const level = project.accessMode === 'Open' ? Math.max(reach.inOpen, isManager ? member : 0) : member;
  return rightOfLevel(Math.max(reach.everywhere, Math.min(level, reach.credentialMax)));
}

/** The word for a level; null for 0. */
export const rightOfLevel = (level: number): ProjectRight | null => rights[level] ?? null;

/** True when `right` includes `needed`. */
export const includesRight = (right: ProjectRight | null, needed: ProjectRight): boolean =>
  right !== null && rightLevels[right] >= rightLevels[needed];

/** What speaks for linking a data source to a project that the caller may write in. */
export function mayLink(
  caller: Caller,
  ground: { readonly isOpenlyReachable: boolean; readonly isInManagedProject: boolean },
): boolean {
  return holds(caller, 'DataSourceAdmin') || ground.isOpenlyReachable || ground.isInManagedProject;
}
