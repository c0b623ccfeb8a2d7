import { type ProjectRole, projectRoles } from '@svc/contract';
import { unavailable } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { HostPrincipal } from './authenticate.ts';

/** Membership of a host user in one project. */
export type HostMembership = {
  /** Id of the project in this service, as `POST /svc/api/projects` returns it. */
  readonly projectId: number;
  readonly role: ProjectRole;
};

/**
 * Returns the projects of a host user. The service calls it for each request and caches nothing, so a revoked
 * membership ends with the next request. Hosts with a slow source can cache the result.
 *
 * A failure ends the request with 503: without memberships, no access is granted.
 */
export type MembershipSource = (
  principal: HostPrincipal,
) => readonly HostMembership[] | Promise<readonly HostMembership[]>;

const idMax = 2_147_483_647;
const levels: Readonly<Record<ProjectRole, number>> = { Viewer: 1, Editor: 2, ProjectAdmin: 3 };

/**
 * Reads the memberships of a host user. Ignores entries with an unknown role or an invalid project id. Of several
 * entries for one project, the highest role applies.
 *
 * @throws a 503 refusal when the source fails.
 */
export async function membershipsOf(
  source: MembershipSource,
  principal: HostPrincipal,
  log: Logger,
): Promise<ReadonlyMap<number, ProjectRole>> {
  const entries = await ask(source, principal, log);
  const memberships = new Map<number, ProjectRole>();
  for (const { projectId, role } of entries) {
    if (!Number.isInteger(projectId) || projectId < 1 || projectId > idMax || !projectRoles.includes(role)) {
      log.warn({ projectId, role }, 'the membership source of the host told a membership that cannot be');
      continue;
    }
    const currentRole = memberships.get(projectId);
    if (currentRole === undefined || levels[role] > levels[currentRole]) memberships.set(projectId, role);
  }
  return memberships;
}

async function ask(
  source: MembershipSource,
  principal: HostPrincipal,
  log: Logger,
): Promise<readonly HostMembership[]> {
  try {
    const entries = await source(principal);
    if (!Array.isArray(entries)) throw new TypeError('The membership source answered no list.');
    return entries;
  } catch (error) {
    log.error({ err: error }, 'the membership source of the host failed');
    throw unavailable('The projects of this user cannot be told at the moment. Try again in a few minutes.');
  }
}
