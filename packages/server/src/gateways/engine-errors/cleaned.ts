import type { ConnectorError, ConnectorErrorCode, EngineName, SqlPosition } from '@svc/connectors';
import { toStorable } from '../../platform/text/index.ts';
import { adviceFor, type ErrorClass, errorClassOf, textOfClass } from './error-class.ts';
import { knownFormOf } from './known-forms.ts';

/** Context of a failed statement. */
export type FailedStatement = {
  readonly engine: string;
  /**
   * Text of the author. Null if the service wrote the statement and it reads only the catalogue: such an error repeats no
   * row.
   */
  readonly sql: string | null;
};

const proof = Symbol('cleaned');

type CleanedFields = Pick<CleanedEngineError, 'code' | 'message' | 'position' | 'hint' | 'engineCode'>;

/**
 * An engine's error without values of rows. Only `cleanEngineError` creates it. It has no reference to the original error,
 * so no output can print the original.
 */
export class CleanedEngineError {
  readonly code: ConnectorErrorCode;
  readonly message: string;
  /** Position in the text that was sent. Undefined if a value of a row could influence it. */
  readonly position: SqlPosition | undefined;
  readonly hint: string | undefined;
  readonly engineCode: string | undefined;

  /** Makes the type nominal: other objects with the same members are not assignable. */
  readonly #isCleaned = true;

  constructor(key: typeof proof, error: CleanedFields) {
    if (key !== proof || !this.#isCleaned)
      throw new TypeError('Only cleanEngineError makes a CleanedEngineError.');
    this.code = error.code;
    this.message = error.message;
    this.position = error.position;
    this.hint = error.hint;
    this.engineCode = error.engineCode;
  }
}

/**
 * Removes values of rows from an engine's error.
 *
 * - Text of the service, and messages about the statement's text alone, are unchanged.
 * - A message of a known form is unchanged, except that a literal that is not in the statement becomes `***`.
 * - Any other message is replaced by the text of its class. Every source counts as one with personal columns: the stored
 *   catalogue may be stale or incomplete, and values are also masked by their form.
 */
export function cleanEngineError(error: ConnectorError, statement: FailedStatement): CleanedEngineError {
  const { code, position, hint } = error;
  const engine = engineNamed(statement.engine);
  if (error.origin !== 'Execution' || statement.sql === null || engine === undefined) {
    const { engineCode } = error;
    return new CleanedEngineError(proof, {
      code,
      position,
      engineCode,
      message: toStorable(error.message),
      hint: hint && toStorable(hint),
    });
  }
  const engineCode = engineCodeOf(error, engine);
  const knownMessage = knownFormOf(error.message, engine, statement.sql);
  if (knownMessage !== undefined)
    return new CleanedEngineError(proof, {
      code,
      position,
      engineCode,
      message: knownMessage,
      hint: undefined,
    });
  const errorClass = errorClassOf(error, engine);
  return new CleanedEngineError(proof, {
    code,
    engineCode,
    position: undefined,
    hint: undefined,
    message: [messageOf(errorClass, engine, engineCode), error.note].filter(Boolean).join(' '),
  });
}

/** Allowed forms of engine codes. A function in a statement can choose a longer code and put values into it. */
const engineCodeForms: Readonly<Record<EngineName, RegExp>> = {
  PostgreSQL: /^(?:0[0-9A-Z]|[2345][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/,
  MySQL: /^\d{1,5}$/,
  SQLite: /^\d{1,5}$/,
  DuckDB: /^[A-Z]{1,10}$/,
  ClickHouse: /^\d{1,5}$/,
  SqlServer: /^\d{1,5}$/,
  Rest: /^HTTP \d{3}$/,
  BigQuery: /^[A-Za-z]{1,40}$/,
  Snowflake: /^\d{6}$/,
  Databricks: /^[A-Z]+(?:_[A-Z]+)+(?:\.[A-Z_]+)?$/,
};

/** Returns undefined for an unknown engine: no statement was sent to it. */
const engineNamed = (name: string): EngineName | undefined =>
  (Object.keys(engineCodeForms) as EngineName[]).find((engine) => engine === name);

const engineCodeOf = ({ engineCode }: ConnectorError, engine: EngineName): string | undefined =>
  engineCode !== undefined && engineCodeForms[engine].test(engineCode) ? engineCode : undefined;

function messageOf(errorClass: ErrorClass, engine: EngineName, engineCode: string | undefined): string {
  const number = engineCode === undefined ? '' : ` (error ${engineCode})`;
  const what = textOfClass[errorClass];
  return `${what.slice(0, -1)}${number}. The database’s own message may repeat values of rows and is not shown.${adviceFor(errorClass, engine)}`;
}
