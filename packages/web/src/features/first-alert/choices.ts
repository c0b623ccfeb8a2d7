import type { DataFile, DataSourceMetadata, Recipient } from '@svc/contract';
import { stepFor } from '../../views/sql/json-step.ts';
import { quoteFor } from '../../views/sql/quoting.ts';

/** Where the rows come from. */
export type Origin =
  | { readonly kind: 'file'; readonly file: DataFile | null }
  | { readonly kind: 'source'; readonly dataSourceId: number | null };

/** What makes it send. */
export type Condition = {
  readonly kind: 'rows' | 'number' | 'sql';
  readonly column: string | null;
  readonly side: 'above' | 'below';
  /** As it was typed. */
  readonly line: string | number;
  readonly sql: string;
};

/** Where the alert goes. */
export type Target =
  | { readonly kind: 'inbox' }
  | { readonly kind: 'recipient'; readonly recipientId: number | null }
  | { readonly kind: 'new'; readonly destination: string };

export const schedules = [
  { value: '0 8 * * 1-5', label: 'Every weekday at 08:00' },
  { value: '0 8 * * *', label: 'Every day at 08:00' },
  { value: '0 * * * *', label: 'Every hour' },
  { value: '*/5 * * * *', label: 'Every 5 minutes' },
] as const;

export type Table = DataSourceMetadata['tables'][number];

/** A source that is ready to be asked: linked to a project that the person writes in. */
export type Ready = { readonly projectId: number; readonly dataSourceId: number; readonly engine: string };

export const tableKey = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => `${schema}.${name}`;

const numbers = /int|num|dec|double|float|real|money/i;

/** The columns that can pass a line. */
export const numberColumns = (table: Table | undefined): readonly string[] =>
  (table?.columns ?? []).filter(({ databaseType }) => numbers.test(databaseType)).map(({ name }) => name);

/** Engines of files have one schema, and statements name tables alone. */
const hasSchemas = (engine: string): boolean => engine !== 'DuckDB' && engine !== 'SQLite';

/** Where the rows of an endpoint stand, as its comment says it. */
const rowsOf = ({ comment }: Table): string | undefined => /Rows at (\/\S+)\.$/.exec(comment ?? '')?.[1];

/** A source is asked in JSON instead of SQL: only its rows can be asked for. */
export const takesNoSql = (engine: string): boolean => engine === 'Rest';

export function selectFrom(engine: string, table: Table): string {
  if (takesNoSql(engine)) return stepFor(table.name, rowsOf(table));
  const quote = quoteFor(engine);
  const name = hasSchemas(engine) ? `${quote(table.schema)}.${quote(table.name)}` : quote(table.name);
  return `select * from ${name}`;
}

const isNumber = (line: string | number): boolean => line !== '' && Number.isFinite(Number(line));

/** The statement that finds the rows; undefined while something of it is missing. */
export function statementOf(
  engine: string,
  table: Table | undefined,
  condition: Condition,
): string | undefined {
  if (condition.kind === 'sql') return condition.sql.trim() === '' ? undefined : condition.sql.trim();
  if (!table) return undefined;
  if (condition.kind === 'rows') return selectFrom(engine, table);
  const { column, side, line } = condition;
  if (column === null || !isNumber(line)) return undefined;
  return `${selectFrom(engine, table)} where ${quoteFor(engine)(column)} ${side === 'above' ? '>' : '<'} ${Number(line)}`;
}

/** A name for the query, by what it finds. */
export function queryName(table: Table | undefined, condition: Condition): string {
  if (condition.kind === 'number') return `${condition.column} ${condition.side} ${condition.line}`;
  return condition.kind === 'sql' || !table ? 'My first alert' : `Rows in ${table.name}`;
}

/** The condition in words, as the summary says it. */
export function conditionWords(table: Table | undefined, condition: Condition): string {
  if (condition.kind === 'rows') return `there are rows in ${table?.name}`;
  if (condition.kind === 'sql') return 'the statement finds rows';
  return `${condition.column} in ${table?.name} is ${condition.side} ${condition.line}`;
}

const isMail = (destination: string): boolean => destination.includes('@') && !destination.includes('://');

/** The recipient that a destination makes; `taken` are names that others have. */
export function recipientOf(destination: string, taken: readonly Pick<Recipient, 'name'>[]) {
  const isEmail = isMail(destination);
  const host = URL.canParse(destination) ? new URL(destination).host : destination;
  return {
    notificationType: isEmail ? ('Email' as const) : ('Webhook' as const),
    name: freeName(isEmail ? destination : host, taken),
    destination,
  };
}

/** The name, or the name with the first number that nobody has. */
export function freeName(name: string, taken: readonly Pick<Recipient, 'name'>[]): string {
  const names = new Set(taken.map((each) => each.name.toLowerCase()));
  if (!names.has(name.toLowerCase())) return name;
  let number = 2;
  while (names.has(`${name} ${number}`.toLowerCase())) number += 1;
  return `${name} ${number}`;
}
