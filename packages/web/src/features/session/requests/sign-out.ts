import { logout } from '@svc/contract';
import { forgetAntiforgeryToken } from '../../../lib/antiforgery.ts';
import { call } from '../../../lib/call.ts';
import { queryClient } from '../../../lib/server-state.ts';

/** Signs out, here or in every browser, and forgets everything that was read. */
export async function signOut(everywhere: boolean): Promise<void> {
  await call(logout, { query: everywhere ? { everywhere } : {} });
  forgetAntiforgeryToken();
  queryClient.clear();
}
