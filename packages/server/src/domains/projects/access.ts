import type { AccessMode, ProjectRight, ProjectRole } from '@svc/contract';
import { type Caller, globalLevel, holds, isAdmin } from '../../platform/access/index.ts';

/**
 * Rights of a caller in projects, as levels: 0 none, 1 Read, 2 Write, 3 Manage. Computed once per request. The SQL
 * fragment in `readable.ts` and `rightIn` derive the same rights from it.
 */
export type Reach = {
  /** User whose memberships count; null: no memberships count. */
  readonly userId: number | null;
  /** Memberships from the host application, as levels by project id; null: the host provides none. */
  readonly hostLevels: Readonly<Record<string, number>> | null;
  /**
   * Level in every project, regardless of its access mode: 3 for an administrator in person, 0 for most callers. For a
   * system of the MCP caller mapping (whose projects are listed) it is the level that the credential allows.
   */
  readonly everywhere: number;
  /** Level in an open project by the global role. */
  readonly inOpen: number;
  /** Highest level that a membership can give under the global role. */
  readonly memberMax: number;
  /** Highest level that the credential allows: 3 for people, 2 for an Execute key, 1 for a Read key. */
  readonly credentialMax: number;
  /** Ids of the only projects within reach; null: all. */
  readonly projectIds: readonly number[] | null;
};

const rightLevels: Readonly<Record<ProjectRight, number>> = { Read: 1, Write: 2, Manage: 3 };
const roleLevels: Readonly<Record<ProjectRole, number>> = { Viewer: 1, Editor: 2, ProjectAdmin: 3 };
const rights: readonly (ProjectRight | null)[] = [null, 'Read', 'Write', 'Manage'];

const editorLevel = 2;

/** Returns the reach of a caller. With `withoutBypass` it ignores the administrator's bypass, as for an API key. */
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

/**
 * A program of the MCP caller mapping is no user, so it has no memberships. The operator's list of projects gives its
 * rights.
 */
const isMappedSystem = ({ kind, userId, allowedProjectIds }: Caller): boolean =>
  kind === 'mcpCaller' && userId === null && allowedProjectIds !== null;

const levelsOf = (memberships: ReadonlyMap<number, ProjectRole>): Record<string, number> =>
  Object.fromEntries([...memberships].map(([projectId, role]) => [projectId, roleLevels[role]]));

function credentialMax({ scopes }: Caller): number {
  if (scopes === null) return rightLevels.Manage;
  // A key never gives Manage, regardless of its owner's rights.
  if (scopes.has('Execute')) return rightLevels.Write;
  return scopes.has('Read') ? rightLevels.Read : 0;
}

/** Returns the right in one project, or null for none. Applies the same rule as the SQL fragment in `readable.ts`. */
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

/** Returns the right of a level; null for 0. */
export const rightOfLevel = (level: number): ProjectRight | null => rights[level] ?? null;

export const includesRight = (right: ProjectRight | null, needed: ProjectRight): boolean =>
  right !== null && rightLevels[right] >= rightLevels[needed];

/** Returns true if a caller who may write in the project may also link the data source. */
export function mayLink(
  caller: Caller,
  ground: { readonly isOpenlyReachable: boolean; readonly isInManagedProject: boolean },
): boolean {
  return holds(caller, 'DataSourceAdmin') || ground.isOpenlyReachable || ground.isInManagedProject;
}
