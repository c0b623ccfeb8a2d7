import type { CallerKind, GlobalRole, Permission, ProjectRole, Scope } from '@svc/contract';

/** The acting identity. The first authentication method that applies creates it, once per request. */
export type Caller = {
  /**
   * Authentication method. Two kinds exist without a request: `system` is the service itself, and `aiActor` is an
   * AI actor that acts as its owner.
   */
  readonly kind: CallerKind | 'system' | 'aiActor';
  /** Stored user that the caller is or acts for. Null for anonymous callers and for a host user without a record. */
  readonly userId: number | null;
  readonly userName: string | null;
  /** Name identifier of a host user. Set only for the kind `host`. */
  readonly hostUserId?: string;
  /** Roles by project id, from the host's membership source. */
  readonly hostMemberships?: ReadonlyMap<number, ProjectRole>;
  /** Highest global role; the owner's for an API key. Null means no role and no read access. */
  readonly role: GlobalRole | null;
  readonly isSuperAdmin: boolean;
  /** Functional permissions by name. An Admin has all of them without an entry here. Always empty for an API key. */
  readonly permissions: ReadonlySet<Permission>;
  /**
   * Null: no scopes apply (sessions, bearer tokens on REST). A key's scopes are already limited to its owner's
   * rights.
   */
  readonly scopes: ReadonlySet<Scope> | null;
  /** Null: all projects. An empty list: no project. */
  readonly allowedProjectIds: readonly number[] | null;
  readonly apiKeyId: number | null;
  readonly sessionId: number | null;
  /** Id of the acting AI actor. Set only for the kind `aiActor`. */
  readonly aiActorId?: number;
  /** True while the user must change the password before any other action. */
  readonly mustChangePassword: boolean;
  /** Reason why the embedding application denies the Execute scope to the key. */
  readonly executeRefusal?: string;
  /** Set for an anonymous caller with the session of a disabled user. */
  readonly isSuspended?: true;
};

const roleLevel: Readonly<Record<GlobalRole, number>> = { Viewer: 1, Editor: 2, Admin: 3 };

/** Caller of a request without a credential. */
export const anonymousCaller: Caller = {
  kind: 'anonymous',
  userId: null,
  userName: null,
  role: null,
  isSuperAdmin: false,
  permissions: new Set(),
  scopes: null,
  allowedProjectIds: null,
  apiKeyId: null,
  sessionId: null,
  mustChangePassword: false,
};

/** True for callers that act through a key or a mapped token. They never get an administrator's bypass. */
const isConfined = (caller: Caller): boolean => caller.kind === 'apiKey' || caller.kind === 'mcpCaller';

/** Returns the global level: 0 none, 1 Viewer, 2 Editor, 3 Admin. A super admin counts as Admin. */
export const globalLevel = (caller: Pick<Caller, 'isSuperAdmin' | 'role'>): number =>
  caller.isSuperAdmin ? roleLevel.Admin : caller.role === null ? 0 : roleLevel[caller.role];

export const canRead = (caller: Caller): boolean => globalLevel(caller) >= roleLevel.Viewer;

/** Requires the role Editor or above, and the Execute scope for a scoped caller. */
export const canWrite = (caller: Caller): boolean =>
  globalLevel(caller) >= roleLevel.Editor && (caller.scopes === null || caller.scopes.has('Execute'));

/** Returns true for an Admin or super admin in person. Always false for a key, regardless of its owner. */
export const isAdmin = (caller: Caller): boolean =>
  !isConfined(caller) && globalLevel(caller) >= roleLevel.Admin;

/** Returns true if the caller has the functional permission by name or as an Admin. Always false for a key. */
export const holds = (caller: Caller, permission: Permission): boolean =>
  !isConfined(caller) && (isAdmin(caller) || caller.permissions.has(permission));

/** The service itself, for example while it sets up the demo. It may perform every action and owns no records. */
export const systemCaller: Caller = { ...anonymousCaller, kind: 'system', isSuperAdmin: true };

/**
 * Returns the identity that owns remembered state. An API key has its own, separate from its owner's. Undefined for
 * a caller without a name.
 */
export function identityOf({
  apiKeyId,
  userId,
  hostUserId,
}: Pick<Caller, 'apiKeyId' | 'userId' | 'hostUserId'>): string | undefined {
  if (apiKeyId !== null) return `key ${apiKeyId}`;
  if (userId !== null) return `user ${userId}`;
  return hostUserId === undefined ? undefined : `host ${hostUserId}`;
}
