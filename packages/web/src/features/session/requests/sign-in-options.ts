import { getSignInOptions } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Ways to sign in that this service offers. */
export const signInOptions = read(getSignInOptions, {});
