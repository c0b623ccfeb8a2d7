import type { Scope } from '@svc/contract';
import type { McpCallers } from '../../platform/config/index.ts';
import { textsOf } from '../single-sign-on/index.ts';

type Claims = Readonly<Record<string, unknown>>;

/** Result of mapping a token. */
export type Mapped =
  | {
      readonly kind: 'system';
      readonly name: string;
      readonly scope: Scope;
      readonly projectIds: readonly number[];
    }
  | {
      readonly kind: 'user';
      readonly scope: Scope;
      /** Null means all projects that the user can access. */
      readonly projectIds: readonly number[] | null;
    }
  | { readonly kind: 'refused'; readonly reason: string };

const refuse = (reason: string): Mapped => ({ kind: 'refused', reason });

/**
 * Maps a verified access token to a caller. Tries a system by its object id, a system by its client id (tokens without
 * a person only), then a user.
 */
export function mapCaller(mapping: McpCallers, claims: Claims): Mapped {
  const { AllowedTenants = [], Systems = [], Users } = mapping;
  if (AllowedTenants.length > 0 && !AllowedTenants.includes(String(claims['tid'] ?? '')))
    return refuse('tenant');
  const isApp = isAppOnly(claims);
  if (isApp === undefined) return refuse('neither an app nor a person');
  const clientId = claims['azp'] ?? claims['appid'] ?? claims['client_id'];
  const system = isApp
    ? (Systems.find(({ ObjectId }) => ObjectId !== undefined && ObjectId === claims['oid']) ??
      Systems.find(({ ClientId }) => ClientId !== undefined && ClientId === clientId))
    : undefined;
  if (system)
    return {
      kind: 'system',
      name: system.Name,
      scope: system.Scope ?? 'Execute',
      projectIds: system.ProjectIds,
    };
  if (isApp || !Users?.Enabled) return refuse('unknown caller');
  return mapUser(Users, claims);
}

function mapUser(users: NonNullable<McpCallers['Users']>, claims: Claims): Mapped {
  const memberships = [...textsOf(claims['groups']), ...textsOf(claims['roles'])];
  const required = [...(users.RequiredRoles ?? []), ...(users.RequiredGroups ?? [])];
  const isAdmitted = required.length === 0 || required.some((name) => memberships.includes(name));
  if (!isAdmitted) return refuse('group or role');
  const byGroup = Object.entries(users.GroupProjects ?? {})
    .filter(([name]) => memberships.includes(name))
    .flatMap(([, ids]) => ids);
  const isConfined = users.ProjectIds !== undefined || users.GroupProjects !== undefined;
  return {
    kind: 'user',
    scope: users.Scope ?? 'Execute',
    projectIds: isConfined ? [...new Set([...(users.ProjectIds ?? []), ...byGroup])] : null,
  };
}

/**
 * Returns true for a token of an app, false for a token that represents a person, undefined when the claims are
 * unclear.
 */
function isAppOnly(claims: Claims): boolean | undefined {
  const hasScope = claims['scp'] !== undefined || claims['scope'] !== undefined;
  if (claims['idtyp'] === 'app') return hasScope && claims['scp'] !== undefined ? undefined : true;
  if (hasScope) return claims['scope'] !== undefined && isClientItself(claims);
  if (isClientItself(claims) || (claims['oid'] !== undefined && claims['oid'] === claims['sub'])) return true;
  return claims['roles'] === undefined && claims['sub'] === undefined ? undefined : false;
}

/** RFC 9068: a token of the client-credentials grant has the client as its subject. */
const isClientItself = (claims: Claims): boolean =>
  claims['client_id'] !== undefined && claims['client_id'] === claims['sub'];
