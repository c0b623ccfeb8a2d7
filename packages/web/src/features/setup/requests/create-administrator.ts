import { createSuperAdmin, type SetupRequest } from '@svc/contract';
import { call } from '../../../lib/call.ts';
import { signIn } from '../../../requests/session.ts';

/** Creates the first administrator and signs in as that user. */
export async function createAdministrator(body: SetupRequest): Promise<void> {
  await call(createSuperAdmin, { body });
  await signIn({ username: body.userName, password: body.password, rememberMe: false });
}
