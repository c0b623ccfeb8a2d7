import { getRetention } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** How long history is kept. */
export const retention = read(getRetention, {});
