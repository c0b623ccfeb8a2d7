import { getAdminSettings } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Settings with their history. */
export const adminSettings = read(getAdminSettings, {});
