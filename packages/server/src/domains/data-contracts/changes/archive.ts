import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { lockUnmanaged } from '../reach.ts';
import { archiveContract } from '../store.ts';
import { recordChange } from './audit.ts';
import type { ChangeDeps } from './dependencies.ts';

/** Creates the function that archives a contract and stops its schedule. */
export const createArchive =
  ({ rights, audit, setSchedule }: Pick<ChangeDeps, 'rights' | 'audit' | 'setSchedule'>) =>
  async (tx: Tx, by: CallerActor, id: number): Promise<void> => {
    const row = await lockUnmanaged(rights, tx, by, id);
    await archiveContract(tx, id);
    await setSchedule(tx, id, undefined);
    await recordChange(audit, tx, by, 'contract_archived', row);
  };
