/** Ways in which a request can say who it is. */
export const callerKinds = ['anonymous', 'session', 'host', 'apiKey', 'bearer', 'mcpCaller'] as const;
export type CallerKind = (typeof callerKinds)[number];

/** Scopes of an API key. `Execute` includes `Read`. */
export const scopes = ['Read', 'Execute'] as const;
export type Scope = (typeof scopes)[number];

/** Global roles, lowest first. A user without one may sign in but reads nothing. */
export const globalRoles = ['Viewer', 'Editor', 'Admin'] as const;
export type GlobalRole = (typeof globalRoles)[number];

/** Functional permissions. An Admin holds all of them; an API key never holds one. */
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
 * What admits a caller: `Read` (Viewer or above), `Write` (Editor or above), `Admin` (Admin or super admin),
 * or a functional permission.
 */
export type Grant = 'Read' | 'Write' | 'Admin' | Permission;

/** What the route demands of the project that its object belongs to. The service checks it with the object. */
export type ProjectRule = 'none' | 'readable' | 'writable' | 'managed';

/**
 * Who may call a route. The guard, the OpenAPI document and the UI's hints all read this one entry.
 */
export type Access = {
  /** Kinds of caller that may call at all. */
  readonly callers: readonly CallerKind[];
  /** Any one of these admits. Empty: being one of `callers` is enough. */
  readonly grants: readonly Grant[];
  /** What a caller with scopes must hold. */
  readonly scope: Scope;
  readonly project: ProjectRule;
  /** True for the few routes that answer before the first administrator exists. */
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

/** The kinds of access entry. Each names its rule, so that a route reads as a sentence. */
export const access = {
  /** Anybody; no credential. `isOpenBeforeSetup`: answers while no administrator exists. */
  anonymous: (options: { isOpenBeforeSetup?: boolean; needsAntiforgery?: boolean } = {}): Access =>
    entry(everyone, [], 'Read', { needsAntiforgery: false, ...options }),
  /** Any identified caller, whatever its roles. */
  identified: (): Access => entry(identified, [], 'Read'),
  /** Reads stored data: Viewer or above, or one of `permissions`. Keys need Read. */
  read: (options: Options & { or?: readonly Permission[] } = {}): Access =>
    entry(identified, ['Read', ...(options.or ?? [])], 'Read', options),
  /** A read that runs SQL or dials a data source: Viewer or above; keys need Execute. */
  run: (options: Options = {}): Access =>
    entry(identified, ['Read'], 'Execute', { ...options, needsAntiforgery: false }),
  /** The same as `run` by a method that changes state or carries a body. */
  runByPost: (options: Options = {}): Access => entry(identified, ['Read'], 'Execute', options),
  /** Changes stored data: Editor or above, or one of `permissions`. Keys need Execute. */
  write: (options: Options & { or?: readonly Permission[] } = {}): Access =>
    entry(identified, ['Write', ...(options.or ?? [])], 'Execute', options),
  /** Reads what only those see who may change it: Editor or above. Keys need Execute. */
  writerRead: (options: Options = {}): Access =>
    entry(identified, ['Write'], 'Execute', { ...options, needsAntiforgery: false }),
  /** Vouches for what is known of data: ProjectAdmin of a project that holds it, or Admin. Never a key. */
  curate: (): Access => entry(identified, ['Write'], 'Execute', { project: 'managed' }),
  /** Reads for administrators: holders of one of `permissions`, or Admin. Never a key. */
  administerRead: (...anyOf: readonly Permission[]): Access => entry(identified, ['Admin', ...anyOf], 'Read'),
  /** Changes by administrators: holders of one of `permissions`, or Admin. Never a key. */
  administer: (...anyOf: readonly Permission[]): Access => entry(identified, ['Admin', ...anyOf], 'Execute'),
  /** Signed-in people only, whatever their roles: `reads` or changes their own things. */
  ownRead: (): Access => entry(people, [], 'Read'),
  own: (): Access => entry(people, [], 'Execute'),
  /** Signed-in people who read (Viewer or above) change what is theirs alone about a record. Never a key. */
  personal: (options: Options = {}): Access => entry(people, ['Read'], 'Execute', options),
  /**
   * The realtime hub: signed-in people who read project data or whose functional pages show its events. Its clients
   * cannot send the antiforgery header; the routes compare the request's origin instead.
   */
  hub: (): Access => entry(people, ['Read', 'Approver', 'MigrationOperator'], 'Read'),
  /** The MCP endpoint: an API key or a mapped access token, with Execute as a whole. No cookie ever counts. */
  mcp: (): Access => entry(['apiKey', 'mcpCaller'], [], 'Execute', { needsAntiforgery: false }),
  /** The routes of API keys: a browser session and nothing else. */
  sessionRead: (...grants: readonly Grant[]): Access => entry(['session'], grants, 'Read'),
  session: (...grants: readonly Grant[]): Access => entry(['session'], grants, 'Execute'),
} as const;

/** Grants that a key can hold; a route whose grants are all others is administrative. */
export const isAdministrative = (rule: Access): boolean =>
  rule.grants.length > 0 && rule.grants.every((grant) => grant !== 'Read' && grant !== 'Write');

/**
 * The administrators' routes of keys. They alone answer 403 to a session whose user was disabled, until it ends at its
 * next check; all others do not know it any more.
 */
export const administersKeys = (rule: Access): boolean =>
  isAdministrative(rule) && rule.callers.every((kind) => kind === 'session');
