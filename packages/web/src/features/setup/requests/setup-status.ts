import { getSetupStatus } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** State of the first-run setup. */
export const setupStatus = read(getSetupStatus, {});
