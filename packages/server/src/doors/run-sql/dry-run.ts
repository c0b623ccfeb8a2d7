import type { Batch, Cell, Connectors, Plan } from '@svc/connectors';
import type { DataSourceTarget } from './create-run-sql.ts';
import { changeRefusal, RunSqlRefusal, toRefusal } from './refusal.ts';
import type { RunLimits, RunRequest, RunResult } from './request.ts';

export type DryRunRequest = {
  readonly dataSource: DataSourceTarget;
  readonly sql: string;
  readonly limits?: RunLimits;
  readonly signal: AbortSignal;
  readonly callerId?: string;
};

/** What became of a statement that was not run. */
export type DryRunResult = {
  /** The statement is one read and calls nothing that acts outside its result; else why not. */
  readonly readOnly: RunSqlRefusal | null;
  /**
   * The engine accepts it: it parses, its names exist and may be read. Else what the engine said; `NotChecked` when an
   * earlier gate refused, `NotOffered` when the engine cannot be asked.
   */
  readonly engine: Plan | RunSqlRefusal | 'NotChecked' | 'NotOffered';
};

/** Statements that describe things themselves have no plan. */
const hasPlan = /^(?:\s|\(|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(?:select|with|values|table|from)\b/i;

/** Asks the gates and the engine about a statement. Nothing of it is run; the plan is read through the door itself. */
export async function dryRun(
  connectors: Connectors,
  run: (request: RunRequest) => Promise<RunResult>,
  { dataSource, sql, ...call }: DryRunRequest,
): Promise<DryRunResult> {
  const asked = connectors.get(dataSource.engine).dryRun;
  if (!asked) return { readOnly: null, engine: 'NotOffered' };
  try {
    asked.check(sql);
  } catch (error) {
    return { readOnly: toRefusal(error), engine: 'NotChecked' };
  }
  if (!hasPlan.test(sql)) return { readOnly: null, engine: 'NotOffered' };
  try {
    const result = await run({
      ...call,
      steps: [{ order: 1, dataSource, sql: asked.prefix + sql }],
      // A plan holds no row, and is read here only for its numbers and the names of its tables.
      masking: { isEnabled: false },
    });
    const rows: (readonly Cell[])[] = [];
    for await (const batch of result.batches) rows.push(...rowsOf(batch));
    const plan = asked.readPlan(rows);
    const refused = new RunSqlRefusal(
      'read-only',
      'The statement would change or lock rows; only reads run.',
    );
    return { readOnly: null, engine: plan.writes ? refused : plan };
  } catch (error) {
    if (!(error instanceof RunSqlRefusal)) throw error;
    return { readOnly: null, engine: withoutPrefix(error, asked.prefix) };
  }
}

const rowsOf = ({ rowCount, columns }: Batch): Cell[][] =>
  Array.from({ length: rowCount }, (_, row) => columns.map((column) => column[row] ?? null));

/** The place in the text as it was written, before the prefix. */
function withoutPrefix(refusal: RunSqlRefusal, prefix: string): RunSqlRefusal {
  const { position } = refusal;
  if (!position) return refusal;
  return changeRefusal(refusal, {
    position: {
      offset: Math.max(0, position.offset - prefix.length),
      line: position.line,
      column: position.line === 1 ? Math.max(1, position.column - prefix.length) : position.column,
    },
  });
}
