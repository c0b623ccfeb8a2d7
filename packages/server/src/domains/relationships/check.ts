import type { SqlDialect } from '@svc/connectors';
import {
  type DataSourceTarget,
  type MaskingRules,
  type RunSql,
  refusingOverHttp,
} from '../../gateways/run-sql/index.ts';
import { checkStatement, valuesMax } from './check-statement.ts';
import type { Ends } from './types.ts';

export type RelationshipCheck = {
  readonly checkedCount: number;
  readonly missingCount: number;
  readonly isCut: boolean;
};

/**
 * Checks a relationship in the data source, through the run-SQL gateway. Only two counts leave the source, no values.
 */
export async function checkRelationship(
  deps: { readonly runSql: RunSql; readonly masking: MaskingRules },
  source: { readonly target: DataSourceTarget; readonly dialect: Pick<SqlDialect, 'name' | 'quote'> },
  ends: Ends,
  run: { readonly signal: AbortSignal; readonly callerId: string },
): Promise<RelationshipCheck> {
  const [checked = 0, missing = 0] = await refusingOverHttp(async () => {
    const result = await deps.runSql.run({
      steps: [{ order: 1, sql: checkStatement(ends, source.dialect), dataSource: source.target }],
      masking: deps.masking,
      ...run,
    });
    const counts: number[] = [];
    for await (const batch of result.batches)
      for (const column of batch.columns) counts.push(Number(column[0] ?? 0));
    return counts;
  });
  const isCut = checked > valuesMax;
  return { checkedCount: checked, missingCount: missing, isCut };
}
