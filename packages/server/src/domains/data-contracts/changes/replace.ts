import type { Tx } from '../../../platform/db/index.ts';
import { deleteAlert } from '../../alerts/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { assertVersion } from '../../projects/index.ts';
import { assertFits, assertMayUseSql, type ContractDefinition, hasOtherMeaning } from '../definition.ts';
import { existingContract, lockUnmanaged } from '../reach.ts';
import { saveRules } from '../rule-store.ts';
import { type ContractRow, type ContractSettings, updateContract } from '../store.ts';
import { recordChange } from './audit.ts';
import type { ChangeDeps, ContractKey } from './dependencies.ts';
import { scheduleEvaluations } from './schedule.ts';

export type Replace = (
  tx: Tx,
  by: CallerActor,
  key: ContractKey,
  next: ContractDefinition,
) => Promise<ContractRow>;

/** Creates the function that replaces the settings and rules of a contract. */
export const createReplace =
  (deps: Pick<ChangeDeps, 'rights' | 'audit' | 'setSchedule'>): Replace =>
  async (tx, by, { id, version }, next) => {
    const before = await lockUnmanaged(deps.rights, tx, by, id);
    assertVersion(before.version, version);
    await deps.rights.require(tx, by.caller, next.settings.projectId, 'Write');
    assertMayUseSql(by.caller, next, before);
    // A dropped or not yet created table does not prevent a change of other members.
    await assertFits(tx, next, before.rules, isSameTable(before, next.settings));
    await updateContract(tx, id, next.settings);
    // The alert state refers to the earlier meaning.
    if (hasOtherMeaning(before, next.settings)) await deleteAlert(tx, { kind: 'Contract', id });
    await saveRules(tx, id, next.rules);
    const row = await existingContract(tx, id);
    await scheduleEvaluations(deps, tx, row);
    await recordChange(deps.audit, tx, by, 'contract_changed', row, { rules: row.rules.length });
    return row;
  };

type ContractTable = Pick<ContractSettings, 'dataSourceId' | 'schemaName' | 'tableName'>;

const isSameTable = (one: ContractTable, other: ContractTable): boolean =>
  one.dataSourceId === other.dataSourceId &&
  one.schemaName === other.schemaName &&
  one.tableName === other.tableName;
