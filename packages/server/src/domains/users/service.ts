import type { ListQuery, Page, Role, RoleName, User } from '@svc/contract';
import { notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import { createArchive } from './changes/archive.ts';
import { createExternal, createInternal } from './changes/create.ts';
import type { UsersDeps } from './changes/dependencies.ts';
import { createToggleEnabled } from './changes/enabled.ts';
import { createSetRoles } from './changes/set-roles.ts';
import { createSignOutEverywhere } from './changes/sign-out.ts';
import { createUpdate } from './changes/update.ts';
import { listUsers } from './manage-store.ts';
import { presentUser } from './present.ts';
import { roles } from './roles.ts';
import { findUser } from './store.ts';

export type UsersService = ReturnType<typeof createUsersService>;

type UsersQuery = ListQuery & {
  search?: string;
  includeArchived?: boolean;
  role?: RoleName;
  isEnabled?: boolean;
};

const list = {
  sortable: {
    userName: 'lower(u.user_name) collate "C"',
    displayName: 'lower(u.display_name) collate "C"',
    email: 'lower(u.email) collate "C"',
    kind: 'u.kind collate "C"',
    isEnabled: 'u.is_enabled',
    lastSignedInAt: 'u.last_signed_in_at',
    createdTime: 'u.created_time',
  },
  byDefault: 'userName',
  unique: 'u.id',
};

/** Creates the service for the management of users by administrators. */
export const createUsersService = (deps: UsersDeps) => ({
  list: async (query: UsersQuery): Promise<Page<User>> => {
    const page = pageRequest(query, list);
    const filter = {
      search: query.search?.trim() || null,
      includeArchived: query.includeArchived ?? false,
      role: query.role ?? null,
      isEnabled: query.isEnabled ?? null,
    };
    const { users, totalCount } = await listUsers(deps.database, filter, page);
    return pageOf(users.map(presentUser), totalCount, page);
  },

  listRoles: (query: ListQuery): Page<Role> => {
    const page = pageRequest(query, { sortable: {}, byDefault: '', unique: 'name' });
    return pageOf(roles.slice(page.offset, page.offset + page.limit), roles.length, page);
  },

  get: async (id: number): Promise<User> => {
    const user = await findUser(deps.database, id);
    if (!user) throw notFound();
    return presentUser(user);
  },

  createInternal: createInternal(deps),
  createExternal: createExternal(deps),
  update: createUpdate(deps),
  setRoles: createSetRoles(deps),
  toggleEnabled: createToggleEnabled(deps),
  archive: createArchive(deps),
  signOutEverywhere: createSignOutEverywhere(deps),
});
