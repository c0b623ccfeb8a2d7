import {
  type BoundValue,
  type Column,
  readSqlTokens,
  type SqlDialect,
  type Statement,
  tokenText,
} from '@svc/connectors';
import type { FailedSide } from './refusal.ts';
import type { CopySide, CopySource, Incremental } from './request.ts';

/** Returns a quoted identifier in the dialect. */
const quoted = (name: string, { hasBacktickIdentifiers, name: dialect }: SqlDialect): string =>
  hasBacktickIdentifiers && dialect === 'mysql'
    ? `\`${name.replaceAll('`', '``')}\``
    : `"${name.replaceAll('"', '""')}"`;

/** Returns the author's text, or a select of the table. It is parsed alone before it is wrapped. */
export const sourceText = (source: CopySource, dialect: SqlDialect): string =>
  source.kind === 'Query'
    ? source.sql
    : `select * from ${quoted(source.schema, dialect)}.${quoted(source.table, dialect)}`;

/** Returns the source of a copy as the context of an error. */
export const sourceSide = (
  { source, dataSource: { engine } }: Pick<CopySide, 'source' | 'dataSource'>,
  dialect: SqlDialect,
): FailedSide => ({ reason: 'source-failed', engine, sql: sourceText(source, dialect) });

/** Returns the statement that reads a source. For an incremental copy it filters rows up to the last value. */
export function sourceStatement(
  source: CopySource,
  incremental: Incremental | null,
  column: Column | undefined,
  dialect: SqlDialect,
): Statement {
  const text = sourceText(source, dialect);
  if (!incremental || incremental.above === null || !column) return { sql: text };
  const value = boundAbove(incremental.above, incremental.lookbackSeconds, column);
  const name = quoted(incremental.column, dialect);
  // The line break is required: the text may end in a line comment.
  const sql = `select * from (${withoutSemicolon(text, dialect)}\n) svc_source where ${name} > ${dialect.marker(1, value)}`;
  return { sql, values: [value] };
}

function withoutSemicolon(text: string, dialect: SqlDialect): string {
  const end = readSqlTokens(text, dialect).find((token) => tokenText(text, token) === ';');
  return end?.kind === 'symbol' ? text.slice(0, end.start) : text;
}

const msPerSecond = 1_000;

function boundAbove(above: string, lookbackSeconds: number, { kind }: Column): BoundValue {
  if (kind === 'integer' || kind === 'decimal') return { type: 'Number', value: above };
  const zoned = kind === 'date' ? `${above}T00:00:00Z` : above.endsWith('Z') ? above : `${above}Z`;
  const from = new Date(Date.parse(zoned) - lookbackSeconds * msPerSecond).toISOString();
  if (kind === 'date') return { type: 'Date', value: from.slice(0, 'YYYY-MM-DD'.length) };
  // `toISOString` has only milliseconds. With `lookbackSeconds` 0 the original precision is retained.
  return { type: 'DateTime', value: lookbackSeconds === 0 ? zoned : from };
}

/** Kinds for which the order in the engines equals the order in this module. */
const orderedKinds = new Set<Column['kind']>(['integer', 'decimal', 'date', 'timestamp', 'timestamptz']);

export const canBeIncremental = ({ kind }: Column): boolean => orderedKinds.has(kind);

const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z?)?$/;

/** Tracks the greatest value of a column. Times outside ISO 8601 with a four-digit year are ignored. */
export function createWatermark({ kind }: Column): {
  readonly see: (cell: string | number | boolean | null) => void;
  readonly value: () => string | null;
} {
  let greatest: string | null = null;
  const isNumber = kind === 'integer' || kind === 'decimal';
  return {
    see: (cell) => {
      if (cell === null || (!isNumber && !isoTime.test(String(cell)))) return;
      const text = String(cell);
      if (greatest === null || (isNumber ? isGreater(text, greatest) : isLater(text, greatest)))
        greatest = text;
    },
    value: () => greatest,
  };
}

const isLater = (one: string, other: string): boolean => one.replace('Z', '') > other.replace('Z', '');

/** Compares decimal texts of any length. */
function isGreater(one: string, other: string): boolean {
  const [a, b] = [BigInt(scaled(one, other)), BigInt(scaled(other, one))];
  return a > b;
}

function scaled(text: string, beside: string): string {
  const places = (number: string) => number.split('.')[1]?.length ?? 0;
  const [integer = '0', fraction = ''] = text.split('.');
  return integer + fraction.padEnd(Math.max(places(text), places(beside)), '0');
}
