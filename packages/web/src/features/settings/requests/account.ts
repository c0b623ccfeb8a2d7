import { getUserSettings } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** The reader's own account. */
export const account = read(getUserSettings, {});
