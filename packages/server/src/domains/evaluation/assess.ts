import type { EvalVerdict } from '@svc/contract';
import { plural } from '@svc/contract';
import type { Outcome, StatementResult } from '../ask/index.ts';
import { holdsRows } from './compare.ts';

export type Assessment = { readonly verdict: EvalVerdict; readonly detail: string | null };

type Gold = { readonly sql: string; readonly result: StatementResult; readonly isOrdered: boolean };

/** Returns the verdict for a question that the data cannot answer. */
export function assessUnanswerable({ state, failure }: Outcome): Assessment {
  if (state === 'CannotAnswer' || state === 'NeedsClarification') return { verdict: 'Passed', detail: null };
  return state === 'Failed'
    ? { verdict: 'NotRun', detail: failure?.message ?? null }
    : { verdict: 'AnsweredUnanswerable', detail: null };
}

/**
 * Returns the verdict for a question with a known answer.
 *
 * @param tablesOf  Returns the tables that a statement names.
 */
export function assessRows(
  outcome: Outcome,
  gold: Gold,
  tablesOf: (sql: string) => ReadonlySet<string>,
): Assessment {
  if (gold.result.kind === 'Refused')
    return { verdict: 'Harness', detail: `The statement of the example: ${gold.result.message}` };
  if (gold.result.truncatedBy !== null)
    return { verdict: 'Harness', detail: 'The statement of the example gives more rows than are compared.' };
  const { state, sql, rows, columns, truncatedBy, failure, missing } = outcome;
  if (state === 'CannotAnswer' || state === 'NeedsClarification')
    return { verdict: 'Abstained', detail: missing ?? outcome.clarification?.question ?? null };
  if (state !== 'Answered' || sql === null || rows === null)
    return { verdict: 'NotRun', detail: failure?.message ?? null };
  const names = (resultColumns: Outcome['columns']) => resultColumns.map(({ name }) => name);
  const right = { columns: names(gold.result.columns), rows: gold.result.rows };
  if (truncatedBy === null && holdsRows(right, { columns: names(columns), rows }, gold.isOrdered))
    return { verdict: 'Passed', detail: null };
  const used = tablesOf(sql);
  const unreadTables = [...tablesOf(gold.sql)].filter((table) => !used.has(table));
  return unreadTables.length > 0
    ? { verdict: 'WrongTables', detail: `It does not read ${unreadTables.join(', ')}.` }
    : {
        verdict: 'WrongRows',
        detail: `${plural(rows.length, 'row')} came; ${plural(right.rows.length, 'row is', 'rows are')} right.`,
      };
}
