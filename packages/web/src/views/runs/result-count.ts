import type { Notification } from '@svc/contract';
import { count, plural } from '../../lib/format.ts';

type Counted = Pick<Notification, 'contractId' | 'resultCount' | 'failingRowCount'>;

/** Describes the result of a run: "3 rows", or "3 rules, 183 rows" for a data contract. Empty if unknown. */
export function resultInWords({ contractId, resultCount, failingRowCount }: Counted): string {
  if (resultCount === null) return '';
  if (contractId === null) return plural(resultCount, 'row');
  const rules = plural(resultCount, 'rule');
  return failingRowCount === null ? rules : `${rules}, ${plural(failingRowCount, 'row')}`;
}

/** Formats the result of a run for a numeric column. Adds the unit only if it is not rows. */
export const resultInColumn = (run: Counted): string =>
  run.resultCount !== null && run.contractId === null ? count(run.resultCount) : resultInWords(run);
