import { getSetupStatus } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Whether the first-run setup is open. */
export const setupStatus = read(getSetupStatus, {});
