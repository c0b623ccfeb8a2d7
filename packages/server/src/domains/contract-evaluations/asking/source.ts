import type { Cell } from '@svc/connectors';
import {
  type DataSourceTarget,
  type MaskingRules,
  type RunSql,
  RunSqlRefusal,
} from '../../../gateways/run-sql/index.ts';
import { type RuleStatement, sampleRowsMax, type Target } from '../../contract-rules/index.ts';

/** Stored rows of a statement's result. */
export type Sample = { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] };

/** Data source and table of the evaluated rules. */
export type RuleSource = Target & {
  readonly target: DataSourceTarget;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly callerId?: string;
};

export type AskDeps = {
  readonly runSql: Pick<RunSql, 'run' | 'readMetadata'>;
  readonly masking: MaskingRules;
  readonly maxRows: number;
};

/** Maximum stored characters of a cell. */
const cellLengthMax = 500;

/**
 * Runs a statement through the run-SQL gateway to its end, or until `rowsWanted` rows are read. Cells are masked.
 *
 * @throws RunSqlRefusal
 */
export async function ask(
  { runSql, masking, maxRows }: AskDeps,
  source: RuleSource,
  { sql, parameters }: RuleStatement,
  rowsWanted?: number,
): Promise<Sample & { readonly rowCount: number }> {
  const { target, signal, timeoutMs, callerId } = source;
  const result = await runSql.run({
    steps: [{ order: 1, sql, dataSource: target }],
    parameters,
    limits: { timeoutMs, maxRows },
    masking,
    signal,
    ...(rowsWanted !== undefined && { rowsWanted }),
    ...(callerId !== undefined && { callerId }),
  });
  const rows: Cell[][] = [];
  let rowCount = 0;
  for await (const batch of result.batches) {
    for (let at = 0; at < batch.rowCount && rows.length < sampleRowsMax; at += 1)
      rows.push(batch.columns.map((column) => shortened(column[at] ?? null)));
    rowCount += batch.rowCount;
    if (rowsWanted !== undefined && rowCount >= rowsWanted) break;
  }
  return { columns: result.columns.map(({ name }) => name), rows, rowCount };
}

const shortened = (cell: Cell): Cell =>
  typeof cell === 'string' && cell.length > cellLengthMax ? `${cell.slice(0, cellLengthMax)}…` : cell;

/** Returns the numbers in the single row of a counting statement. NULL becomes null, and a masked number becomes NaN. */
export async function askNumbers(
  deps: AskDeps,
  source: RuleSource,
  statement: RuleStatement,
): Promise<(number | null)[]> {
  const { rows } = await ask(deps, source, statement);
  return (rows[0] ?? []).map((cell) => (cell === null ? null : Number(cell)));
}

/** Returns the refusal of a rule. Rethrows other errors, and all errors after an abort. */
export function refusalOf(error: unknown, signal: AbortSignal): RunSqlRefusal {
  if (error instanceof RunSqlRefusal && !signal.aborted) return error;
  throw error;
}

const ofSource = new Set([
  'destination-refused',
  'connection-failed',
  'tls-failed',
  'authentication-failed',
  'database-not-found',
  'connection-lost',
  'too-many-runs',
]);

/** Returns true for a refusal that any other statement at the source would also get. */
export const isOfSource = ({ code }: RunSqlRefusal): boolean => ofSource.has(code);
