import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { lockWritable } from '../reach.ts';
import { setSnooze } from '../store.ts';
import { recordChange } from './audit.ts';
import type { ChangeDeps } from './dependencies.ts';

/** Creates the function that suppresses notifications about a contract until a time; null ends the snooze. */
export const createSnooze =
  ({ rights, audit }: Pick<ChangeDeps, 'rights' | 'audit'>) =>
  async (tx: Tx, by: CallerActor, id: number, until: Date | null, reason: string | null): Promise<void> => {
    const row = await lockWritable(rights, tx, by.caller, id);
    await setSnooze(tx, id, until, until && reason);
    await recordChange(audit, tx, by, until ? 'contract_snoozed' : 'contract_woken', row, {
      until: until?.toISOString() ?? null,
    });
  };
