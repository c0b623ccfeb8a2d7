import {
  type CurrentUser,
  getCurrentUser,
  getPermissions,
  getSignInOptions,
  type LoginRequest,
  login,
} from '@svc/contract';
import { forgetAntiforgeryToken } from '../lib/antiforgery.ts';
import { call } from '../lib/call.ts';
import { queryClient, read } from '../lib/server-state.ts';

/** Who is signed in, if anybody is. */
export const currentUser = read(getCurrentUser, {});

/** What the signed-in person may do. */
export const permissions = read(getPermissions, {});

/** Ways to sign in that this service offers. */
export const signInOptions = read(getSignInOptions, {});

/** Signs in. Everything read before belonged to nobody or to somebody else, and is let go. */
export async function signIn(body: LoginRequest): Promise<CurrentUser> {
  const user = await call(login, { body });
  forgetAntiforgeryToken();
  queryClient.clear();
  queryClient.setQueryData(currentUser.queryKey, user);
  return user;
}
