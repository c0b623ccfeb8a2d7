/** Ways in which a request can identify its caller. */
export const callerKinds = ['anonymous', 'session', 'host', 'apiKey', 'bearer', 'mcpCaller'] as const;
export type CallerKind = (typeof callerKinds)[number];

/** Scopes of an API key. `Execute` includes `Read`. */
export const scopes = ['Read', 'Execute'] as const;
export type Scope = (typeof scopes)[number];

/** Global roles, lowest first. A user without one may sign in but reads nothing. */
export const globalRoles = ['Viewer', 'Editor', 'Admin'] as const;
export type GlobalRole = (typeof globalRoles)[number];

/** Functional permissions. An Admin has all of them; an API key never has one. */
export const permissions = [
  'UserAdmin',
  'SecurityAdmin',
  'DataSourceAdmin',
  'Auditor',
  'Approver',
  'MigrationOperator',
] as const;
export type Permission = (typeof permissions)[number];

/** Roles inside a project. */
export const projectRoles = ['Viewer', 'Editor', 'ProjectAdmin'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/**
 * Right that admits a caller: `Read` (Viewer or above), `Write` (Editor or above), `Admin` (Admin or super admin), or a
 * functional permission.
 */
export type Grant = 'Read' | 'Write' | 'Admin' | Permission;

/** Right that the caller needs in the object's project. The service checks it together with the object. */
export type ProjectRule = 'none' | 'readable' | 'writable' | 'managed';

/** Access rule of a route. The guard, the OpenAPI document and the UI read this one entry. */
export type Access = {
  /** Kinds of caller that the route admits. */
  readonly callers: readonly CallerKind[];
  /** The caller needs one of these grants. Empty: every caller of a kind in `callers` is admitted. */
  readonly grants: readonly Grant[];
  /** Scope that a caller with scopes needs. */
  readonly scope: Scope;
  readonly project: ProjectRule;
  /** True for routes that answer before the first administrator exists. */
  readonly isOpenBeforeSetup: boolean;
  /** True when a cookie caller must send the antiforgery header. */
  readonly needsAntiforgery: boolean;
};

const everyone: readonly CallerKind[] = callerKinds;
const identified = ['session', 'host', 'apiKey', 'bearer'] as const satisfies readonly CallerKind[];
const people = ['session', 'host'] as const satisfies readonly CallerKind[];

type Options = { project?: ProjectRule };

const entry = (
  callers: readonly CallerKind[],
  grants: readonly Grant[],
  scope: Scope,
  options: Partial<Access> = {},
): Access => ({
  callers,
  grants,
  scope,
  project: options.project ?? 'none',
  isOpenBeforeSetup: options.isOpenBeforeSetup ?? false,
  needsAntiforgery: options.needsAntiforgery ?? scope === 'Execute',
});

/** Kinds of access entry, each named after its rule. */
export const access = {
  /** Every caller, without a credential. `isOpenBeforeSetup`: the route answers while no administrator exists. */
  anonymous: (options: { isOpenBeforeSetup?: boolean; needsAntiforgery?: boolean } = {}): Access =>
    entry(everyone, [], 'Read', { needsAntiforgery: false, ...options }),
  /** Any identified caller, with any role or none. */
  identified: (): Access => entry(identified, [], 'Read'),
  /** Reads stored data: Viewer or above, or one of `permissions`. Keys need Read. */
  read: (options: Options & { or?: readonly Permission[] } = {}): Access =>
    entry(identified, ['Read', ...(options.or ?? [])], 'Read', options),
  /** Reads that run SQL or connect to a data source: Viewer or above. Keys need Execute. */
  run: (options: Options = {}): Access =>
    entry(identified, ['Read'], 'Execute', { ...options, needsAntiforgery: false }),
  /** Same rule as `run`, for methods that change state or have a body: needs the antiforgery header. */
  runByPost: (options: Options = {}): Access => entry(identified, ['Read'], 'Execute', options),
  /** Changes stored data: Editor or above, or one of `permissions`. Keys need Execute. */
  write: (options: Options & { or?: readonly Permission[] } = {}): Access =>
    entry(identified, ['Write', ...(options.or ?? [])], 'Execute', options),
  /** Reads that only users with the right to change the object may make: Editor or above. Keys need Execute. */
  writerRead: (options: Options = {}): Access =>
    entry(identified, ['Write'], 'Execute', { ...options, needsAntiforgery: false }),
  /** Confirms facts about data: ProjectAdmin of a project that contains the data source, or Admin. Never a key. */
  curate: (): Access => entry(identified, ['Write'], 'Execute', { project: 'managed' }),
  /** Reads for administrators: Admin, or a holder of one of `permissions`. Never a key. */
  administerRead: (...anyOf: readonly Permission[]): Access => entry(identified, ['Admin', ...anyOf], 'Read'),
  /** Changes by administrators: Admin, or a holder of one of `permissions`. Never a key. */
  administer: (...anyOf: readonly Permission[]): Access => entry(identified, ['Admin', ...anyOf], 'Execute'),
  /** Signed-in users only, with any role or none: reads or changes their own data. */
  ownRead: (): Access => entry(people, [], 'Read'),
  own: (): Access => entry(people, [], 'Execute'),
  /** Signed-in users (Viewer or above) change their personal data of a record. Never a key. */
  personal: (options: Options = {}): Access => entry(people, ['Read'], 'Execute', options),
  /**
   * The realtime hub: signed-in users who read project data or whose functional pages show its events. Its clients
   * cannot send the antiforgery header; the routes compare the request's origin instead.
   */
  hub: (): Access => entry(people, ['Read', 'Approver', 'MigrationOperator'], 'Read'),
  /** The MCP endpoint: an API key or a mapped access token, both with Execute. Cookies are ignored. */
  mcp: (): Access => entry(['apiKey', 'mcpCaller'], [], 'Execute', { needsAntiforgery: false }),
  /** The routes of API keys: a browser session only. */
  sessionRead: (...grants: readonly Grant[]): Access => entry(['session'], grants, 'Read'),
  session: (...grants: readonly Grant[]): Access => entry(['session'], grants, 'Execute'),
} as const;

/** Returns true for a rule whose grants a key can never have. */
export const isAdministrative = (rule: Access): boolean =>
  rule.grants.length > 0 && rule.grants.every((grant) => grant !== 'Read' && grant !== 'Write');

/**
 * Returns true for the administrators' routes of keys. Only these routes answer 403 to the session of a disabled user,
 * until the session's next check ends it. All other routes treat the caller as anonymous.
 */
export const administersKeys = (rule: Access): boolean =>
  isAdministrative(rule) && rule.callers.every((kind) => kind === 'session');
