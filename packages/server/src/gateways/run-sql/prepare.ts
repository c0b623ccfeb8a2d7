import { assertJoinQuery, type Connectors, duckdbDialect } from '@svc/connectors';
import { plural } from '@svc/contract';
import { type MaskingRules, personalNamesIn } from './masking/index.ts';
import {
  type BoundParameters,
  bindParameters,
  type CompiledStatement,
  compileStatement,
  type RunParameters,
} from './parameters/parameters.ts';
import { changeRefusal, RunSqlRefusal, toRefusal } from './refusal.ts';
import type { RunRequest, RunStep } from './request.ts';

/** Engine of the final query. */
export const joinEngine = 'DuckDB';

export type PreparedStep = {
  readonly step: RunStep;
  readonly statement: CompiledStatement;
  /** Name of the step's table in the final query, such as `step1`. */
  readonly table: string;
  /** The step's custom name, if it differs from the table name. */
  readonly alias: string | null;
};

export type PreparedRun = {
  readonly steps: readonly PreparedStep[];
  readonly final: { readonly sql: string; readonly statement: CompiledStatement } | null;
};

const stepsMax = 50;

/** Makes all checks that need no access to a data source. */
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
 * Checks a final query before its steps have run: that it is one read, and its placeholders. Returns the names in it whose
 * values are masked.
 *
 * @throws RunSqlRefusal with the reason.
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

/** Refuses ambiguous table names of the final query, compared without case. */
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

/** Adds the step to a refusal, and maps the position to the written text. */
export function aboutStep(error: unknown, step: RunStep, statement?: CompiledStatement): RunSqlRefusal {
  const refusal = toRefusal(error, { engine: step.dataSource.engine, sql: step.sql });
  const position = refusal.position && statement ? statement.toWritten(refusal.position) : refusal.position;
  return changeRefusal(refusal, { position, stepOrder: step.order });
}

/** Converts an error of the final query, which belongs to no step. */
export function aboutFinal(error: unknown, sql: string, statement: CompiledStatement): RunSqlRefusal {
  const refusal = toRefusal(error, { engine: joinEngine, sql });
  return changeRefusal(refusal, { position: refusal.position && statement.toWritten(refusal.position) });
}
