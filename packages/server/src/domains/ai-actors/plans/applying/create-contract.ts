import type { ApplyAction } from './context.ts';

export const applyCreateContract: ApplyAction<'CreateContract'> = async (
  { contracts },
  tx,
  { schemaName, tableName, name, rules, recipientIds },
  { actor, by },
) => {
  const { projectId, dataSourceId } = actor;
  const { id } = await contracts.createIn(tx, by, {
    projectId,
    dataSourceId,
    schemaName,
    tableName,
    name,
    rules: rules.map((rule) => ({ ...rule, columns: [...rule.columns] })),
    recipientIds: [...recipientIds],
  });
  return { contractId: id };
};
