import type { Permission } from '@svc/contract';

/** What the signed-in person may do: the answer of `auth/permissions`. */
export type Rights = {
  readonly canRead: boolean;
  readonly canWrite: boolean;
  readonly isAdmin: boolean;
  readonly permissions: readonly string[];
  readonly migrationsEnabled: boolean;
};

/** Nothing at all; while it is not known yet. */
export const noRights: Rights = {
  canRead: false,
  canWrite: false,
  isAdmin: false,
  permissions: [],
  migrationsEnabled: false,
};

/** Holds the functional permission, by name or as an Admin. */
export const holds = (rights: Rights, ...anyOf: readonly Permission[]): boolean =>
  rights.isAdmin || anyOf.some((permission) => rights.permissions.includes(permission));

/** Who sees a page; the words name what it needs. */
export type Need = {
  readonly words: string;
  readonly admits: (rights: Rights) => boolean;
  /** Whether this installation has the page at all; absent: it has. */
  readonly isThere?: (rights: Rights) => boolean;
};

export const needs = {
  nothing: { words: 'a sign-in', admits: () => true },
  admin: { words: 'the role Admin', admits: (rights) => rights.isAdmin },
  project: { words: 'the Viewer role or above', admits: (rights) => rights.canRead },
  projectOr: (...anyOf: readonly Permission[]): Need => ({
    words: `the Viewer role or above, or the permission ${anyOf.join(' or ')}`,
    admits: (rights) => rights.canRead || holds(rights, ...anyOf),
  }),
  permission: (...anyOf: readonly Permission[]): Need => ({
    words: `the permission ${anyOf.join(' or ')}`,
    admits: (rights) => holds(rights, ...anyOf),
  }),
  migrations: {
    words: 'the permission MigrationOperator',
    admits: (rights) => rights.migrationsEnabled && holds(rights, 'MigrationOperator'),
    isThere: (rights) => rights.migrationsEnabled,
  },
} as const satisfies Record<string, Need | ((...anyOf: readonly Permission[]) => Need)>;
