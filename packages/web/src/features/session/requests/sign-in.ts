import { type CurrentUser, type LoginRequest, login } from '@svc/contract';
import { forgetAntiforgeryToken } from '../../../lib/antiforgery.ts';
import { call } from '../../../lib/call.ts';
import { queryClient } from '../../../lib/server-state.ts';
import { currentUser } from './current-user.ts';

/** Signs in. Everything read before belonged to nobody or to somebody else, and is let go. */
export async function signIn(body: LoginRequest): Promise<CurrentUser> {
  const user = await call(login, { body });
  forgetAntiforgeryToken();
  queryClient.clear();
  queryClient.setQueryData(currentUser.queryKey, user);
  return user;
}
