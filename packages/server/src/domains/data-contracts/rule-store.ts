import type { Executor, Tx } from '../../platform/db/index.ts';
import type { RuleDefinition } from '../contract-rules/index.ts';

/** Replaces the rules of a contract, in the given order. Rules with an id retain it; missing rules are archived. */
export async function saveRules(tx: Tx, contractId: number, rules: readonly RuleDefinition[]): Promise<void> {
  const kept = rules.flatMap(({ id }) => (id === null ? [] : [id]));
  await tx.query(
    `update svc.contract_rules set archived_at = now()
     where contract_id = $1 and archived_at is null and id <> all($2::int[])`,
    [contractId, kept],
  );
  for (const [position, rule] of rules.entries()) {
    const values = [
      position,
      rule.name,
      rule.type,
      rule.columns,
      JSON.stringify(rule.config),
      rule.severity,
      rule.weight,
      rule.unit,
      rule.warnAbove,
      rule.failAbove,
      rule.isEnabled,
    ];
    await tx.query(
      rule.id === null
        ? `insert into svc.contract_rules (contract_id, position, name, type, columns, config, severity, weight, unit,
             warn_above, fail_above, is_enabled)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`
        : `update svc.contract_rules set position = $2, name = $3, type = $4, columns = $5, config = $6, severity = $7,
             weight = $8, unit = $9, warn_above = $10, fail_above = $11, is_enabled = $12 where id = $1`,
      [rule.id ?? contractId, ...values],
    );
  }
}

/** Upper bound for rules whose accepted values are read. */
const acceptedRulesMax = 500;

/**
 * Returns the values that enabled contracts of a project accept in columns of a source, for rules that allow no other
 * value.
 */
export async function acceptedValues(
  executor: Executor,
  projectId: number,
  dataSourceId: number,
): Promise<{ schema: string; table: string; column: string; values: string[] }[]> {
  const { rows } = await executor.query<{ schema: string; table: string; column: string; values: string[] }>(
    `select k.schema_name as schema, k.table_name as "table", u.columns[1] as "column",
       array(select jsonb_array_elements_text(u.config->'values')) as values
     from svc.contract_rules u join svc.data_contracts k on k.id = u.contract_id and k.archived_at is null
     where k.project_id = $1 and k.data_source_id = $2 and k.is_enabled and u.archived_at is null and u.is_enabled
       and u.type = 'AcceptedValues' and u.fail_above = 0
     order by u.id limit ${acceptedRulesMax}`,
    [projectId, dataSourceId],
  );
  return rows;
}
