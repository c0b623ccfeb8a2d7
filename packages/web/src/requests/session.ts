import {
  type CurrentUser,
  getCurrentUser,
  getPermissions,
  getSignInOptions,
  type LoginRequest,
  login,
} from '@svc/contract';
import { call } from '../lib/call.ts';
import { forgetAntiforgeryToken } from '../lib/calls/antiforgery.ts';
import { queryClient, read } from '../lib/server-state.ts';

/** Signed-in user, or an anonymous one. */
export const currentUser = read(getCurrentUser, {});

/** Rights of the signed-in user. */
export const permissions = read(getPermissions, {});

/** Methods of sign-in that this service offers. */
export const signInOptions = read(getSignInOptions, {});

/** Signs in. Clears the cache, because it contains data of the previous user or of an anonymous visitor. */
export async function signIn(body: LoginRequest): Promise<CurrentUser> {
  const user = await call(login, { body });
  forgetAntiforgeryToken();
  queryClient.clear();
  queryClient.setQueryData(currentUser.queryKey, user);
  return user;
}
