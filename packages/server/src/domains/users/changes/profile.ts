import type { UserInput } from '@svc/contract';
import { isUniqueViolation } from '../../../platform/db/index.ts';
import { badRequest, conflict } from '../../../platform/http/index.ts';
import type { StoredUser } from '../store.ts';

const emailShape = /^[^\s@]{1,64}@[^\s@]{1,255}$/;

type Profile = { userName: string; displayName: string | null; email: string | null };

/** Returns the input of a change, with stored values for absent members. */
export const changedProfile = (user: StoredUser, input: UserInput): Partial<Profile> => ({
  ...(input.userName !== undefined && { userName: input.userName }),
  displayName: input.displayName === undefined ? user.displayName : input.displayName,
  email: input.email === undefined ? user.email : input.email,
});

/** Checks and trims a profile. Throws 400 for an invalid email address. */
export function profileFrom(input: {
  userName: string;
  displayName?: string | null;
  email?: string | null;
}): Profile {
  const email = input.email?.trim() || null;
  if (email !== null && !emailShape.test(email))
    throw badRequest('invalid-email', 'The email address is not one.', [
      { path: '/email', message: 'is not an email address' },
    ]);
  return { userName: input.userName, displayName: input.displayName?.trim() || null, email };
}

/** Runs a save. Throws 409 that names the member which another user has already. */
export async function withUniqueNames<T>(save: () => Promise<T>): Promise<T> {
  try {
    return await save();
  } catch (error) {
    if (isUniqueViolation(error, 'users_user_name'))
      throw conflict('user-name-taken', 'Another user has this name; archived users keep theirs.', [
        { path: '/userName', message: 'is taken: another user has it, or had it and is archived' },
      ]);
    if (isUniqueViolation(error, 'users_external'))
      throw conflict('identity-taken', 'There is a user with this id at this identity provider already.', [
        { path: '/subject', message: 'is taken: there is a user with it already' },
      ]);
    throw error;
  }
}
