import type { Tx } from '../../../platform/db/index.ts';
import type { ContractRow } from '../store.ts';
import type { ChangeDeps } from './dependencies.ts';

/** Starts the schedule of a saved contract. Stops it if the contract has none or is disabled. */
export const scheduleEvaluations = (
  { setSchedule }: Pick<ChangeDeps, 'setSchedule'>,
  tx: Tx,
  { id, cronExpression, timeZone, isEnabled }: ContractRow,
): Promise<void> =>
  setSchedule(
    tx,
    id,
    cronExpression !== null && isEnabled ? { cronExpression, timeZone: timeZone ?? 'UTC' } : undefined,
  );
