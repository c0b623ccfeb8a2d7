import { stopRun } from '@svc/contract';
import { call } from '../../../lib/call.ts';

/** Stops a run of the caller's own. `Stopped`: its data source has ended it. */
export const stopAtService = async (runKey: string) => (await call(stopRun, { params: { runKey } })).outcome;
