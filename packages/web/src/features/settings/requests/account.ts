import { getUserSettings } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Account of the signed-in user. */
export const account = read(getUserSettings, {});
