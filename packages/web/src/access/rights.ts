import type { Permission } from '@svc/contract';

/** Rights of the signed-in user: the response of `auth/permissions`. */
export type Rights = {
  readonly canRead: boolean;
  readonly canWrite: boolean;
  readonly isAdmin: boolean;
  readonly permissions: readonly string[];
  readonly migrationsEnabled: boolean;
};

/** No rights. Applies until the service has returned the user's rights. */
export const noRights: Rights = {
  canRead: false,
  canWrite: false,
  isAdmin: false,
  permissions: [],
  migrationsEnabled: false,
};

/** Returns true if the user has one of the functional permissions, or is an Admin. */
export const holds = (rights: Rights, ...anyOf: readonly Permission[]): boolean =>
  rights.isAdmin || anyOf.some((permission) => rights.permissions.includes(permission));

/** Requirement for a page. `words` names the required role or permission. */
export type Need = {
  readonly words: string;
  readonly admits: (rights: Rights) => boolean;
  /** Returns false if the page is switched off in this installation. Default: the page exists. */
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
