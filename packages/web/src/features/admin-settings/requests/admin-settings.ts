import { getAdminSettings } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** The settings with their history. */
export const adminSettings = read(getAdminSettings, {});
