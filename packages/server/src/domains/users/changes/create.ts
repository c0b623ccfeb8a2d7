import type { ExternalUserInput, InternalUserInput, RoleName, User } from '@svc/contract';
import { badRequest } from '../../../platform/http/index.ts';
import { refuseWeakPassword } from '../../passwords/index.ts';
import { insertRoles, insertUser, type NewUser } from '../store.ts';
import type { Administrator, UsersDeps } from './dependencies.ts';
import { requireMayManage } from './permission.ts';
import { profileFrom, withUniqueNames } from './profile.ts';
import { readUser, recordChange } from './records.ts';

/** Creates the function that creates a user with a password, which the user must change. */
export const createInternal =
  (deps: UsersDeps) =>
  async (input: InternalUserInput, by: Administrator): Promise<User> => {
    const grantedRoles = input.roles ?? [];
    requireMayManage(by, null, { grants: grantedRoles });
    const profile = profileFrom(input);
    refuseWeakPassword(deps.policy, input.password, { userName: input.userName, member: 'password' });
    const passwordHash = await deps.hashing.hash(input.password);
    return insert(
      deps,
      { ...profile, kind: 'Internal', passwordHash, mustChangePassword: true },
      grantedRoles,
      by,
    );
  };

/** Creates the function that creates a user of an identity provider. */
export const createExternal =
  (deps: UsersDeps) =>
  async (input: ExternalUserInput, by: Administrator): Promise<User> => {
    const grantedRoles = input.roles ?? [];
    requireMayManage(by, null, { grants: grantedRoles });
    const issuer = input.issuer ?? (deps.issuers.length === 1 ? deps.issuers[0] : undefined);
    if (issuer === undefined)
      throw badRequest('issuer-required', 'Name the identity provider (its issuer) of this user.', [
        { path: '/issuer', message: 'is required' },
      ]);
    return insert(
      deps,
      { ...profileFrom(input), kind: 'External', issuer, subject: input.subject },
      grantedRoles,
      by,
    );
  };

const insert = (
  { database, audit }: Pick<UsersDeps, 'database' | 'audit'>,
  user: NewUser,
  grantedRoles: readonly RoleName[],
  by: Administrator,
): Promise<User> =>
  withUniqueNames(() =>
    database.transaction(async (tx) => {
      const id = await insertUser(tx, user);
      await insertRoles(tx, id, grantedRoles, { source: 'Granted', byUserId: by.caller.userId });
      await recordChange(audit, tx, 'users.created', id, by, {
        userName: user.userName,
        kind: user.kind,
        roles: grantedRoles,
      });
      return readUser(tx, id);
    }),
  );
