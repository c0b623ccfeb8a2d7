import { type ProjectRole, projectRoles } from '@svc/contract';
import { unavailable } from '../../platform/http/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { HostPrincipal } from './authenticate.ts';

/** One project of somebody whom the host has authenticated. */
export type HostMembership = {
  /** Id of the project here, as `POST /svc/api/projects` answers it. */
  readonly projectId: number;
  readonly role: ProjectRole;
};

/**
 * Tells in which projects a principal of the host is a member; the service keeps no copy. It is asked once for each
 * request of such a principal, so that what the host takes away is gone with the next one: hosts for whom that is
 * slow keep the answer themselves for as long as they want to.
 *
 * A failure ends the request with 503: without the answer nobody gets in.
 */
export type MembershipSource = (
  principal: HostPrincipal,
) => readonly HostMembership[] | Promise<readonly HostMembership[]>;

const idMax = 2_147_483_647;
const levels: Readonly<Record<ProjectRole, number>> = { Viewer: 1, Editor: 2, ProjectAdmin: 3 };

/**
 * Asks the source. Entries that name no project or no known role give nothing; of several for one project the
 * highest role counts.
 *
 * @throws a 503 refusal when the source fails.
 */
export async function membershipsOf(
  source: MembershipSource,
  principal: HostPrincipal,
  log: Logger,
): Promise<ReadonlyMap<number, ProjectRole>> {
  const told = await ask(source, principal, log);
  const memberships = new Map<number, ProjectRole>();
  for (const { projectId, role } of told) {
    if (!Number.isInteger(projectId) || projectId < 1 || projectId > idMax || !projectRoles.includes(role)) {
      log.warn({ projectId, role }, 'the membership source of the host told a membership that cannot be');
      continue;
    }
    const known = memberships.get(projectId);
    if (known === undefined || levels[role] > levels[known]) memberships.set(projectId, role);
  }
  return memberships;
}

async function ask(
  source: MembershipSource,
  principal: HostPrincipal,
  log: Logger,
): Promise<readonly HostMembership[]> {
  try {
    const told = await source(principal);
    if (!Array.isArray(told)) throw new TypeError('The membership source answered no list.');
    return told;
  } catch (error) {
    log.error({ err: error }, 'the membership source of the host failed');
    throw unavailable('The projects of this user cannot be told at the moment. Try again in a few minutes.');
  }
}
