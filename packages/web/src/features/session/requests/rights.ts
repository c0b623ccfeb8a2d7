import { getPermissions } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** What the signed-in person may do. */
export const permissions = read(getPermissions, {});
