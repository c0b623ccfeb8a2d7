import type { CallerKind, GlobalRole, Permission, ProjectRole, Scope } from '@svc/contract';

/** Who acts, in a request or by itself: one value, made once, by the first way of authentication that applies. */
export type Caller = {
  /**
   * How the request was authenticated. Two kinds make none: `system` is the service at work by itself, `aiActor` an AI
   * actor that acts as its owner.
   */
  readonly kind: CallerKind | 'system' | 'aiActor';
  /** Stored user that the caller is or acts for; null for the anonymous and for a host's user without a record. */
  readonly userId: number | null;
  readonly userName: string | null;
  /** Name identifier of a host's user; set for the kind `host` alone. */
  readonly hostUserId?: string;
  /** What a host's membership source says of its user: roles by project id. */
  readonly hostMemberships?: ReadonlyMap<number, ProjectRole>;
  /** Highest global role; null: none, reads nothing. For a key: its owner's. */
  readonly role: GlobalRole | null;
  readonly isSuperAdmin: boolean;
  /** Functional permissions held by name; an Admin holds all without being listed. Always empty for a key. */
  readonly permissions: ReadonlySet<Permission>;
  /** Null: not scoped (sessions, bearer tokens on REST). A key's scopes are already lowered to what its owner may. */
  readonly scopes: ReadonlySet<Scope> | null;
  /** Null: not confined. An empty list: no project at all. */
  readonly allowedProjectIds: readonly number[] | null;
  readonly apiKeyId: number | null;
  readonly sessionId: number | null;
  /** The AI actor that acts; set for the kind `aiActor` alone. */
  readonly aiActorId?: number;
  /** Set while the password must be changed before anything else. */
  readonly mustChangePassword: boolean;
  /** Why the embedding application does not let a key with the Execute scope act with it. */
  readonly executeRefusal?: string;
  /** Set for an anonymous caller who came with the session of a disabled user. */
  readonly isSuspended?: true;
};

const roleLevel: Readonly<Record<GlobalRole, number>> = { Viewer: 1, Editor: 2, Admin: 3 };

/** The caller of a request without any credential. */
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

/** Callers that act through a key or a mapped token never get an administrator's bypass. */
const isConfined = (caller: Caller): boolean => caller.kind === 'apiKey' || caller.kind === 'mcpCaller';

/** Global level as a number: 0 none, 1 Viewer, 2 Editor, 3 Admin. A super admin counts as Admin. */
export const globalLevel = (caller: Pick<Caller, 'isSuperAdmin' | 'role'>): number =>
  caller.isSuperAdmin ? roleLevel.Admin : caller.role === null ? 0 : roleLevel[caller.role];

export const canRead = (caller: Caller): boolean => globalLevel(caller) >= roleLevel.Viewer;

/** Editor or above, and for a scoped caller the Execute scope. */
export const canWrite = (caller: Caller): boolean =>
  globalLevel(caller) >= roleLevel.Editor && (caller.scopes === null || caller.scopes.has('Execute'));

/** Admin or super admin in person. Never a key, whoever owns it. */
export const isAdmin = (caller: Caller): boolean =>
  !isConfined(caller) && globalLevel(caller) >= roleLevel.Admin;

/** Holds the functional permission, by name or as an Admin. Never a key. */
export const holds = (caller: Caller, permission: Permission): boolean =>
  !isConfined(caller) && (isAdmin(caller) || caller.permissions.has(permission));

/** The service itself, e.g. when it sets up the demo: it may do everything and owns nothing by name. */
export const systemCaller: Caller = { ...anonymousCaller, kind: 'system', isSuperAdmin: true };

/**
 * Whose something is that a caller comes back for: an API key has its own, beside those of its owner in person. Undefined
 * for a caller without a name.
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
