import { getCurrentUser } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Who is signed in, if anybody is. */
export const currentUser = read(getCurrentUser, {});
