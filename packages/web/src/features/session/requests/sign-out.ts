import { logout } from '@svc/contract';
import { call } from '../../../lib/call.ts';
import { forgetAntiforgeryToken } from '../../../lib/calls/antiforgery.ts';
import { queryClient } from '../../../lib/server-state.ts';

/** Signs out in this browser or in every browser, and clears all cached data. */
export async function signOut(everywhere: boolean): Promise<void> {
  await call(logout, { query: everywhere ? { everywhere } : {} });
  forgetAntiforgeryToken();
  queryClient.clear();
}
