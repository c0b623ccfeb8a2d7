import type { Notification } from '@svc/contract';
import { count, plural } from '../../lib/format.ts';

type Counted = Pick<Notification, 'contractId' | 'resultCount' | 'violationCount'>;

/** Returns the counts of a run with their nouns: rows, or rules and violations of a data contract. */
function countsOf({ contractId, resultCount, violationCount }: Counted): readonly string[] {
  if (resultCount === null) return [];
  if (contractId === null) return [plural(resultCount, 'row')];
  const rules = plural(resultCount, 'rule');
  return violationCount === null ? [rules] : [rules, plural(violationCount, 'violation')];
}

/** Describes the result of a run: "3 rows", or "3 rules, 183 violations" for a data contract. Empty if unknown. */
export const resultInWords = (run: Counted): string => countsOf(run).join(', ');

/** Returns the result of a run as lines of a numeric column. They have a noun only if it is not rows. */
export const resultLines = (run: Counted): readonly string[] =>
  run.resultCount !== null && run.contractId === null ? [count(run.resultCount)] : countsOf(run);
