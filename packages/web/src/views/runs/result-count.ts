import type { Notification } from '@svc/contract';
import { count, plural } from '../../lib/format.ts';

type Counted = Pick<Notification, 'contractId' | 'resultCount' | 'failingRowCount'>;

/** Result of a run in words: "3 rows", or "3 rules, 183 rows" for a data contract; empty where it is not known. */
export function resultInWords({ contractId, resultCount, failingRowCount }: Counted): string {
  if (resultCount === null) return '';
  if (contractId === null) return plural(resultCount, 'row');
  const rules = plural(resultCount, 'rule');
  return failingRowCount === null ? rules : `${rules}, ${plural(failingRowCount, 'row')}`;
}

/** Result of a run for a column of numbers: the unit is named where it is not rows. */
export const resultInColumn = (run: Counted): string =>
  run.resultCount !== null && run.contractId === null ? count(run.resultCount) : resultInWords(run);
