import type { IncomingMessage } from 'node:http';
import { globalRoles, permissions } from '@svc/contract';
import type { FastifyRequest } from 'fastify';
import { anonymousCaller, type Caller } from '../../platform/access/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type MembershipSource, membershipsOf } from './memberships.ts';

/** Somebody whom the embedding application has authenticated. */
export type HostPrincipal = {
  /** The name identifier: what tells this person from every other, for ever. */
  readonly id: string;
  readonly userName?: string;
  /** Role claims: `Admin`, `Editor` or `Viewer`. Others count only where the settings say so. */
  readonly roles: readonly string[];
};

/** Asks the host who makes a request; null or undefined: nobody whom it knows. */
export type PrincipalOf = (
  request: IncomingMessage,
) => HostPrincipal | null | undefined | Promise<HostPrincipal | null | undefined>;

/**
 * Authentication by the host's own scheme; it comes before every other. Of the role claims only `Admin` brings
 * functional permissions, unless `honoursRoleClaims`: then a claim that is named like a permission grants it.
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
