import { assertJoinQuery, type Connectors, duckdbDialect } from '@svc/connectors';
import { plural } from '@svc/contract';
import { type MaskingRules, personalNamesIn } from './masking/index.ts';
import {
  type BoundParameters,
  bindParameters,
  type CompiledStatement,
  compileStatement,
  type RunParameters,
} from './parameters.ts';
import { changeRefusal, RunSqlRefusal, toRefusal } from './refusal.ts';
import type { RunRequest, RunStep } from './request.ts';

/** Runs the final query. */
export const joinEngine = 'DuckDB';

export type PreparedStep = {
  readonly step: RunStep;
  readonly statement: CompiledStatement;
  /** The table of the final query: `step1`. */
  readonly table: string;
  /** The step's own name where it is another one. */
  readonly alias: string | null;
};

export type PreparedRun = {
  readonly steps: readonly PreparedStep[];
  readonly final: { readonly sql: string; readonly statement: CompiledStatement } | null;
};

const stepsMax = 50;

/** Everything that can be refused without touching a data source is refused here. */
export function prepareRun(connectors: Connectors, request: RunRequest): PreparedRun {
  const steps = [...request.steps].sort((one, other) => one.order - other.order);
  assertNames(steps);
  const bound = bindParameters(request.parameters ?? { declared: [], values: {} });
  const prepared = steps.map((step): PreparedStep => {
    const table = tableOf(step);
    try {
      const { dialect } = connectors.get(step.dataSource.engine);
      const statement = compileStatement(step.sql, dialect, bound);
      return { step, statement, table, alias: aliasOf(step, table) };
    } catch (error) {
      throw aboutStep(error, step);
    }
  });
  const sql = request.finalQuery?.trim() ? request.finalQuery : null;
  if (sql === null) return { steps: prepared, final: null };
  return { steps: prepared, final: { sql, statement: compileFinal(sql, bound) } };
}

function compileFinal(sql: string, bound: BoundParameters): CompiledStatement {
  const statement = compileStatement(sql, duckdbDialect, bound);
  try {
    assertJoinQuery(statement.sql);
  } catch (error) {
    throw aboutFinal(error, sql, statement);
  }
  return statement;
}

/**
 * Checks what can be checked of a final query before its steps have run: that it is one read, and its placeholders.
 * Answers the names in it whose values are masked.
 *
 * @throws RunSqlRefusal that says why not.
 */
export function checkFinalQuery(
  sql: string,
  parameters: RunParameters,
  masking: MaskingRules,
): readonly string[] {
  compileFinal(sql, bindParameters(parameters));
  return personalNamesIn(sql, duckdbDialect, masking);
}

const tableOf = (step: RunStep): string => `step${step.order}`;

function aliasOf(step: RunStep, table: string): string | null {
  const name = step.name?.trim() ?? '';
  return name === '' || name.toLowerCase() === table ? null : name;
}

/** Every table of the final query has one meaning; names compare without case there. */
function assertNames(steps: readonly RunStep[]): void {
  if (steps.length === 0) throw new RunSqlRefusal('invalid-steps', 'There is no step to run.');
  if (steps.length > stepsMax) {
    throw new RunSqlRefusal('invalid-steps', `There are more than ${plural(stepsMax, 'step')}.`);
  }
  if (steps.some((step) => !Number.isSafeInteger(step.order) || step.order < 1)) {
    throw new RunSqlRefusal('invalid-steps', 'The order of a step is a whole number from 1.');
  }
  const names = steps.flatMap((step) => {
    const table = tableOf(step);
    const alias = aliasOf(step, table);
    return alias === null ? [table] : [table, alias.toLowerCase()];
  });
  const doubled = names.find((name, index) => names.indexOf(name) !== index);
  if (doubled !== undefined) {
    throw new RunSqlRefusal('invalid-steps', `Two steps are called ${doubled}.`);
  }
}

/** Adds the step to what is refused about it, with the place in the text as it was written. */
export function aboutStep(error: unknown, step: RunStep, statement?: CompiledStatement): RunSqlRefusal {
  const refusal = toRefusal(error, { engine: step.dataSource.engine, sql: step.sql });
  const position = refusal.position && statement ? statement.toWritten(refusal.position) : refusal.position;
  return changeRefusal(refusal, { position, stepOrder: step.order });
}

/** The same for the final query, which is no step. */
export function aboutFinal(error: unknown, sql: string, statement: CompiledStatement): RunSqlRefusal {
  const refusal = toRefusal(error, { engine: joinEngine, sql });
  return changeRefusal(refusal, { position: refusal.position && statement.toWritten(refusal.position) });
}
