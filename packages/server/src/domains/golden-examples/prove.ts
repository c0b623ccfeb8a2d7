import type { Database } from '../../platform/db/index.ts';
import { brokenRule, Refusal } from '../../platform/http/index.ts';
import type { CheckCall, CheckStatement } from '../statement-checks/index.ts';
import { invalidExample } from './content.ts';
import { type GoldenContent, isLinked } from './store.ts';

/**
 * Refuses examples with an invalid data source or statement. Returns the time of the check; null without a statement.
 */
export async function proveExample(
  deps: { readonly database: Database; readonly check: CheckStatement; readonly now: () => Date },
  projectId: number,
  { dataSourceId, sql }: GoldenContent,
  call: CheckCall,
): Promise<Date | null> {
  if (!(await isLinked(deps.database, projectId, dataSourceId)))
    throw invalidExample('/dataSourceId', 'it is not a data source of the project');
  if (sql === null) return null;
  const { verdict, message } = await deps.check(dataSourceId, sql, call);
  if (verdict === 'Failed')
    throw brokenRule('invalid-golden-example', `A gate refuses the statement. ${message}`, [
      { path: '/sql', message },
    ]);
  if (verdict === 'Unchecked') throw new Refusal('golden-example-unchecked', { detail: message });
  return deps.now();
}
