import { getRetention } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

export const retention = read(getRetention, {});
