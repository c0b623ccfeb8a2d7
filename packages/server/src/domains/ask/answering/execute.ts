import type { Answer } from '@svc/contract';
import type { Outcome } from './outcome.ts';
import type { AnswerRequest, CallOrigin } from './request.ts';

/** Verdict of the gates on a statement. */
export type StatementVerdict =
  | { readonly verdict: 'Passed' }
  /** `Failed`: the statement is invalid. `Unchecked`: the data source could not be queried. */
  | { readonly verdict: 'Failed' | 'Unchecked'; readonly code: string; readonly message: string };

/** `isStatement`: another statement may succeed. The message contains no value of a row. */
export type Refusal = { readonly code: string; readonly message: string; readonly isStatement: boolean };

export type StatementResult =
  | {
      readonly kind: 'Rows';
      readonly columns: Answer['columns'];
      readonly rows: readonly (readonly unknown[])[];
      readonly truncatedBy: Answer['truncatedBy'];
    }
  | (Refusal & { readonly kind: 'Refused' });

type Statement = { readonly dataSourceId: number; readonly sql: string };

export type StatementGates = {
  readonly check: (statement: Statement, call: CallOrigin) => Promise<StatementVerdict>;
  readonly run: (
    statement: Statement & { readonly projectId: number; readonly rowsMax: number },
    call: CallOrigin,
  ) => Promise<StatementResult>;
};

/** Runs a statement that passed the gates. Returns null if the request is for the statement alone. */
export async function execute(
  gates: Pick<StatementGates, 'run'>,
  request: AnswerRequest,
  sql: string,
): Promise<StatementResult | null> {
  if (!request.isRun) return null;
  request.onStage('Running');
  const { projectId, dataSourceId, rowsMax } = request;
  return gates.run({ projectId, dataSourceId, sql, rowsMax }, request);
}

/** Checks a statement and runs it. Returns its rows, or the refusal. */
export async function checkAndExecute(
  gates: StatementGates,
  request: AnswerRequest,
  sql: string,
): Promise<{ readonly refusal: Refusal } | { readonly result: StatementResult | null }> {
  request.onStage('Checking');
  const verdict = await gates.check({ dataSourceId: request.dataSourceId, sql }, request);
  if (verdict.verdict !== 'Passed')
    return { refusal: { ...verdict, isStatement: verdict.verdict === 'Failed' } };
  const result = await execute(gates, request, sql);
  return result?.kind === 'Refused' ? { refusal: result } : { result };
}

/** Returns the rows of a result as members of an outcome. */
export const rowsOf = (result: StatementResult | null): Pick<Outcome, 'columns' | 'rows' | 'truncatedBy'> =>
  result?.kind === 'Rows'
    ? { columns: result.columns, rows: result.rows, truncatedBy: result.truncatedBy }
    : { columns: [], rows: null, truncatedBy: null };
