import type { DataContractInput } from '@svc/contract';
import type { Tx } from '../../../platform/db/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertFits, assertMayUseSql, definitionOf } from '../definition.ts';
import { existingContract } from '../reach.ts';
import { saveRules } from '../rule-store.ts';
import { type ContractRow, insertContract } from '../store.ts';
import { recordChange } from './audit.ts';
import type { ChangeDeps } from './dependencies.ts';
import { attachAll } from './recipients.ts';
import { scheduleEvaluations } from './schedule.ts';

/**
 * Creates the function that creates a contract.
 *
 * @param options.mayLackTable  Accepts a table that does not exist yet.
 */
export const createCreate =
  (deps: Pick<ChangeDeps, 'rights' | 'audit' | 'schedules' | 'setSchedule'>) =>
  async (
    tx: Tx,
    by: CallerActor,
    input: DataContractInput,
    { mayLackTable = false }: { readonly mayLackTable?: boolean } = {},
  ): Promise<ContractRow> => {
    const { recipientIds = [], ...change } = input;
    const next = await definitionOf(change, deps.schedules.explain);
    await deps.rights.require(tx, by.caller, next.settings.projectId, 'Write');
    assertMayUseSql(by.caller, next);
    await assertFits(tx, next, [], mayLackTable);
    const id = await insertContract(tx, next.settings, by.caller.userId);
    await saveRules(tx, id, next.rules);
    await attachAll(tx, by, id, recipientIds);
    const row = await existingContract(tx, id);
    await scheduleEvaluations(deps, tx, row);
    await recordChange(deps.audit, tx, by, 'contract_created', row, {
      dataSourceId: row.dataSourceId,
      table: row.tableName,
      rules: row.rules.length,
    });
    return row;
  };
