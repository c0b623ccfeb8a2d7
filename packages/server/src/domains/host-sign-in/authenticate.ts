import type { IncomingMessage } from 'node:http';
import { globalRoles, permissions } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { anonymousCaller, type Caller } from '../../platform/access/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type MembershipSource, membershipsOf } from './memberships.ts';

/** A person that the embedding application has authenticated. */
export type HostPrincipal = {
  /** Stable, unique identifier of the person. */
  readonly id: string;
  readonly userName?: string;
  /** Role claims: `Admin`, `Editor` or `Viewer`. Other claims apply only when the settings enable them. */
  readonly roles: readonly string[];
};

/** Returns the host's user of a request; null or undefined for an unknown user. */
export type PrincipalOf = (
  request: IncomingMessage,
) => HostPrincipal | null | undefined | Promise<HostPrincipal | null | undefined>;

/**
 * Creates the authentication by the host's scheme, which precedes all other schemes. By default, only the `Admin` claim
 * grants functional permissions. With `honoursRoleClaims`, a claim with the name of a permission grants it.
 */
export function createHostAuthenticator(
  principalOf: PrincipalOf,
  options: { honoursRoleClaims: boolean; membershipsFrom: MembershipSource | undefined; log: Logger },
): (request: FastifyRequest) => Promise<Caller | undefined> {
  return async (request) => {
    const principal = await principalOf(request.raw);
    if (!principal) return undefined;
    const { membershipsFrom, log } = options;
    const hostMemberships = membershipsFrom && (await membershipsOf(membershipsFrom, principal, log));
    return {
      ...anonymousCaller,
      kind: 'host',
      hostUserId: principal.id,
      userName: principal.userName ?? principal.id,
      role: globalRoles.findLast((role) => principal.roles.includes(role)) ?? null,
      permissions: new Set(
        options.honoursRoleClaims ? permissions.filter((name) => principal.roles.includes(name)) : [],
      ),
      ...(hostMemberships && { hostMemberships }),
    };
  };
}
