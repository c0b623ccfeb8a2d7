import type { DataFile, DataSourceMetadata, Recipient } from '@svc/contract';
import { stepFor } from '../../views/sql/completion/json-step.ts';
import { quoteFor } from '../../views/sql/quoting.ts';

/** Source of the rows. */
export type Origin =
  | { readonly kind: 'file'; readonly file: DataFile | null }
  | { readonly kind: 'source'; readonly dataSourceId: number | null };

/** Condition that sends an alert. */
export type Condition = {
  readonly kind: 'rows' | 'number' | 'sql';
  readonly column: string | null;
  readonly side: 'above' | 'below';
  /** Text of the field, unparsed. */
  readonly line: string | number;
  readonly sql: string;
};

/** Recipient of the alert. */
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

/** Data source that can be queried: it is linked to a project in which the user may write. */
export type Ready = { readonly projectId: number; readonly dataSourceId: number; readonly engine: string };

export const tableKey = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => `${schema}.${name}`;

const numbers = /int|num|dec|double|float|real|money/i;

/** Returns the columns that a threshold can apply to. */
export const numberColumns = (table: Table | undefined): readonly string[] =>
  (table?.columns ?? []).filter(({ databaseType }) => numbers.test(databaseType)).map(({ name }) => name);

/** Returns false for file-based engines. They have one schema, so statements name only the table. */
const hasSchemas = (engine: string): boolean => engine !== 'DuckDB' && engine !== 'SQLite';

/** Returns the path of the rows in the response of an endpoint, from the comment of its table. */
const rowsOf = ({ comment }: Table): string | undefined => /Rows at (\/\S+)\.$/.exec(comment ?? '')?.[1];

/** Returns true for engines that take JSON instead of SQL. For them, only the condition on rows is available. */
export const takesNoSql = (engine: string): boolean => engine === 'Rest';

/** Returns the tables that a generated statement can read. An endpoint whose path requires a value is not readable. */
export const readableTables = (engine: string | undefined, tables: readonly Table[]): readonly Table[] =>
  engine !== undefined && takesNoSql(engine) ? tables.filter(({ name }) => !name.includes('{')) : tables;

export function selectFrom(engine: string, table: Table): string {
  if (takesNoSql(engine)) return stepFor(table.name, rowsOf(table));
  const quote = quoteFor(engine);
  const name = hasSchemas(engine) ? `${quote(table.schema)}.${quote(table.name)}` : quote(table.name);
  return `select * from ${name}`;
}

const isNumber = (line: string | number): boolean => line !== '' && Number.isFinite(Number(line));

/** Returns the statement that selects the rows. Undefined while an input is missing. */
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

/** Returns a name for the query that describes its rows. */
export function queryName(table: Table | undefined, condition: Condition): string {
  if (condition.kind === 'number') return `${condition.column} ${condition.side} ${condition.line}`;
  return condition.kind === 'sql' || !table ? 'My first alert' : `Rows in ${table.name}`;
}

/** Describes the condition for the summary. */
export function conditionWords(table: Table | undefined, condition: Condition): string {
  if (condition.kind === 'rows') return `there are rows in ${table?.name}`;
  if (condition.kind === 'sql') return 'the statement finds rows';
  return `${condition.column} in ${table?.name} is ${condition.side} ${condition.line}`;
}

const isMail = (destination: string): boolean => destination.includes('@') && !destination.includes('://');

/** Returns the recipient for a destination. `taken`: recipients whose names are not available. */
export function recipientOf(destination: string, taken: readonly Pick<Recipient, 'name'>[]) {
  const isEmail = isMail(destination);
  const host = URL.canParse(destination) ? new URL(destination).host : destination;
  return {
    notificationType: isEmail ? ('Email' as const) : ('Webhook' as const),
    name: freeName(isEmail ? destination : host, taken),
    destination,
  };
}

/** Returns the name, or the name with the lowest number that is not taken. */
export function freeName(name: string, taken: readonly Pick<Recipient, 'name'>[]): string {
  const names = new Set(taken.map((each) => each.name.toLowerCase()));
  if (!names.has(name.toLowerCase())) return name;
  let number = 2;
  while (names.has(`${name} ${number}`.toLowerCase())) number += 1;
  return `${name} ${number}`;
}
