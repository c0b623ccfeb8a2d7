import { type ProveAction, refusal, trimmed } from './context.ts';
import { rulesOf } from './rules.ts';

export const proveCreateContract: ProveAction<'CreateContract'> = async (deps, action, context) => {
  const { projectId, dataSourceId, defaultRecipientIds } = context.actor;
  const schemaName = trimmed(action.schemaName);
  const tableName = trimmed(action.tableName);
  const name = trimmed(action.contractName) || tableName;
  const table = `${schemaName}.${tableName}`;
  const hasContract =
    context.contractedTables.has(table) ||
    context.earlier.some(
      ({ definition: d }) => d.type === 'CreateContract' && `${d.schemaName}.${d.tableName}` === table,
    );
  if (tableName === '') throw refusal('A contract needs a table.');
  if (hasContract) throw refusal(`The table "${table}" has a contract.`);
  const rules = rulesOf(action.rules);
  if (rules.length === 0) throw refusal('A contract needs a rule.');
  await deps.assertRulesFit({ projectId, dataSourceId, schemaName, tableName }, rules);
  const definition = {
    type: 'CreateContract' as const,
    schemaName,
    tableName,
    name,
    rules: rules.map(({ name: rule, type, columns, config }) => ({ name: rule, type, columns, config })),
    recipientIds: defaultRecipientIds,
  };
  return { definition, sample: null };
};
