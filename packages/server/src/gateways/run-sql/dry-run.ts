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
} from './parameters/parameters.ts';
import { changeRefusal, RunSqlRefusal, toRefusal } from './refusal.ts';
import type { RunLimits, RunRequest, RunResult } from './request.ts';

export type DryRunRequest = {
  readonly dataSource: DataSourceTarget;
  readonly sql: string;
  /** If absent, the statement must contain no placeholder. */
  readonly parameters?: RunParameters;
  /** Masking rules, for the personal names in the statement. */
  readonly masking: MaskingRules;
  readonly limits?: RunLimits;
  readonly signal: AbortSignal;
  readonly callerId?: string;
};

/** Result of the checks of a statement that was not run. */
export type DryRunResult = {
  /** Null if each placeholder has a value that can be bound at its position. Otherwise the refusal; no other check is made. */
  readonly parameters: RunSqlRefusal | null;
  /** Null if the statement is one read without functions that have side effects. Otherwise the refusal. */
  readonly readOnly: RunSqlRefusal | null;
  /**
   * The plan if the engine accepts the statement: it parses, and its names exist and are readable. Otherwise the refusal of
   * the engine. `NotChecked`: an earlier gate refused. `NotOffered`: the engine has no plans.
   */
  readonly engine: Plan | RunSqlRefusal | 'NotChecked' | 'NotOffered';
  /** Names in the statement whose values are masked, in lower case. Other columns may be masked by their values. */
  readonly personalNames: readonly string[];
};

const planned = new Set(['select', 'with', 'values', 'table', 'from']);

/** Returns true for a statement with a plan. Statements such as SHOW and EXPLAIN have none. */
function hasPlan(sql: string, dialect: SqlDialect): boolean {
  const first = readSqlTokens(sql, dialect).find(
    (token) => token.kind !== 'comment' && !(token.kind === 'symbol' && sql[token.start] === '('),
  );
  return first?.kind === 'word' && planned.has(tokenText(sql, first).toLowerCase());
}

/** Checks a statement with the gates and the engine. The statement is not run; its plan is read through the gateway. */
export async function dryRun(
  connectors: Connectors,
  run: (request: RunRequest) => Promise<RunResult>,
  { dataSource, sql, parameters = { declared: [], values: {} }, masking, ...call }: DryRunRequest,
): Promise<DryRunResult> {
  const { dialect, dryRun: engineDryRun } = connectors.get(dataSource.engine);
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
  if (!engineDryRun) return { ...passed, engine: 'NotOffered' };
  try {
    await engineDryRun.check(compiled, dataSource.connection);
  } catch (error) {
    return { ...passed, readOnly: asWritten(toRefusal(error, written), compiled), engine: 'NotChecked' };
  }
  const { plan } = engineDryRun;
  if (!plan || !hasPlan(sql, dialect)) return { ...passed, engine: 'NotOffered' };
  try {
    const result = await run({
      ...call,
      steps: [{ order: 1, dataSource, sql: plan.prefix + sql }],
      parameters,
      // A plan contains no row. Only its numbers and the names of its tables are used.
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

/** Maps the position to the written text, before values were bound. */
const asWritten = (refusal: RunSqlRefusal, { toWritten }: CompiledStatement): RunSqlRefusal =>
  changeRefusal(refusal, { position: refusal.position && toWritten(refusal.position) });

const rowsOf = ({ rowCount, columns }: Batch): Cell[][] =>
  Array.from({ length: rowCount }, (_, row) => columns.map((column) => column[row] ?? null));

/** Maps the position to the written text, without the prefix of the plan. */
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
