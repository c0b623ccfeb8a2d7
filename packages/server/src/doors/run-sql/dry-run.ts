import {
  type Batch,
  type Cell,
  type Connectors,
  type Plan,
  readSqlTokens,
  type SqlDialect,
  tokenText,
} from '@svc/connectors';
import type { DataSourceTarget } from './create-run-sql.ts';
import { type MaskingRules, personalNamesIn } from './masking/index.ts';
import {
  bindParameters,
  type CompiledStatement,
  compileStatement,
  type RunParameters,
} from './parameters.ts';
import { changeRefusal, RunSqlRefusal, toRefusal } from './refusal.ts';
import type { RunLimits, RunRequest, RunResult } from './request.ts';

export type DryRunRequest = {
  readonly dataSource: DataSourceTarget;
  readonly sql: string;
  /** Without them the statement may hold no placeholder. */
  readonly parameters?: RunParameters;
  /** What is masked: for the names that the statement holds. */
  readonly masking: MaskingRules;
  readonly limits?: RunLimits;
  readonly signal: AbortSignal;
  readonly callerId?: string;
};

/** What became of a statement that was not run. */
export type DryRunResult = {
  /** The placeholders have values that can be bound where they stand; else why not, and nothing else is asked. */
  readonly parameters: RunSqlRefusal | null;
  /** The statement is one read and calls nothing that acts outside its result; else why not. */
  readonly readOnly: RunSqlRefusal | null;
  /**
   * The engine accepts it: it parses, its names exist and may be read. Else what the engine said; `NotChecked` when an
   * earlier gate refused, `NotOffered` when the engine cannot be asked.
   */
  readonly engine: Plan | RunSqlRefusal | 'NotChecked' | 'NotOffered';
  /** Names in the statement whose values are masked, in small letters. Others may be too, by what they hold. */
  readonly personalNames: readonly string[];
};

const planned = new Set(['select', 'with', 'values', 'table', 'from']);

/** True for a statement with a plan. Statements such as SHOW and EXPLAIN have none. */
function hasPlan(sql: string, dialect: SqlDialect): boolean {
  const first = readSqlTokens(sql, dialect).find(
    (token) => token.kind !== 'comment' && !(token.kind === 'symbol' && sql[token.start] === '('),
  );
  return first?.kind === 'word' && planned.has(tokenText(sql, first).toLowerCase());
}

/** Asks the gates and the engine about a statement. Nothing of it is run; the plan is read through the door itself. */
export async function dryRun(
  connectors: Connectors,
  run: (request: RunRequest) => Promise<RunResult>,
  { dataSource, sql, parameters = { declared: [], values: {} }, masking, ...call }: DryRunRequest,
): Promise<DryRunResult> {
  const { dialect, dryRun: asked } = connectors.get(dataSource.engine);
  const written = { engine: dataSource.engine, sql };
  const passed = {
    parameters: null,
    readOnly: null,
    personalNames: personalNamesIn(sql, dialect, masking),
  };
  let compiled: CompiledStatement;
  try {
    compiled = compileStatement(sql, dialect, bindParameters(parameters));
  } catch (error) {
    return { ...passed, parameters: toRefusal(error, written), engine: 'NotChecked' };
  }
  if (!asked) return { ...passed, engine: 'NotOffered' };
  try {
    await asked.check(compiled, dataSource.connection);
  } catch (error) {
    return { ...passed, readOnly: asWritten(toRefusal(error, written), compiled), engine: 'NotChecked' };
  }
  const { plan } = asked;
  if (!plan || !hasPlan(sql, dialect)) return { ...passed, engine: 'NotOffered' };
  try {
    const result = await run({
      ...call,
      steps: [{ order: 1, dataSource, sql: plan.prefix + sql }],
      parameters,
      // A plan holds no row, and is read here only for its numbers and the names of its tables.
      masking: { isEnabled: false },
    });
    const rows: (readonly Cell[])[] = [];
    for await (const batch of result.batches) rows.push(...rowsOf(batch));
    const read = plan.readPlan(rows);
    const refused = new RunSqlRefusal(
      'read-only',
      'The statement would change or lock rows; only reads run.',
    );
    return { ...passed, engine: read.writes ? refused : read };
  } catch (error) {
    if (!(error instanceof RunSqlRefusal)) throw error;
    return { ...passed, engine: withoutPrefix(error, plan.prefix) };
  }
}

/** The place in the text as it was written, before values were bound. */
const asWritten = (refusal: RunSqlRefusal, { toWritten }: CompiledStatement): RunSqlRefusal =>
  changeRefusal(refusal, { position: refusal.position && toWritten(refusal.position) });

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
