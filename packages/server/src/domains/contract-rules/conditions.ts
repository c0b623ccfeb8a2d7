import type { SqlDialect, TableMetadata } from '@svc/connectors';
import { familyOf } from '../../platform/sql-types/index.ts';
import type { Bind } from './binder.ts';
import { type Bound, boundOf } from './bound.ts';
import { notFinite } from './not-finite.ts';
import type { ConditionType, RuleDefinition, TableName } from './rule.ts';

/** What statements about a table are written for. */
export type Target = {
  readonly dialect: Pick<SqlDialect, 'name' | 'quote'>;
  readonly table: TableMetadata;
};

/** The name that the table has in every statement. */
export const alias = 's';

export const tableOf = ({ quote }: Target['dialect'], { schema, table }: TableName): string =>
  schema === '' ? quote(table) : `${quote(schema)}.${quote(table)}`;

/** A column of the table, quoted as the engine quotes. */
export const columnOf = ({ dialect }: Target, name: string): string => `${alias}.${dialect.quote(name)}`;

export const typeOf = ({ table }: Target, name: string): string =>
  table.columns.find((column) => column.name === name)?.databaseType ?? '';

/** Rules of such a source are refused when they are saved. */
const noSql = (): TypeError => new TypeError('A REST API takes no SQL.');

const textTypes = {
  ...{ postgresql: 'text', sqlite: 'text', duckdb: 'varchar' },
  ...{ bigquery: 'string', snowflake: 'varchar', databricks: 'string' },
} as const;

/** A column as text that tells cases apart, so that columns of every type can be compared with texts. */
function asText({ dialect, table }: Target, name: string): string {
  const column = columnOf({ dialect, table }, name);
  // The collation of a column would pass over case.
  if (dialect.name === 'mysql') return `convert(${column} using utf8mb4) collate utf8mb4_bin`;
  // A cast to `String` would not hold NULL.
  if (dialect.name === 'clickhouse') return `toString(${column})`;
  if (dialect.name === 'sqlserver')
    return `(cast(${column} as nvarchar(max)) + N'.') collate Latin1_General_100_BIN2`;
  if (dialect.name === 'rest') throw noSql();
  return `cast(${column} as ${textTypes[dialect.name]})`;
}

/** A text to compare with `asText`: SQL Server passes over spaces at the end, which a sign behind them keeps. */
const textValue = ({ dialect }: Target, value: string): string =>
  dialect.name === 'sqlserver' ? `${value} + N'.'` : value;

/** Writes the condition that a row which breaks the rule meets. */
export function failingCondition(
  type: ConditionType,
  rule: RuleDefinition,
  target: Target,
  bind: Bind,
): string {
  switch (type) {
    case 'NullRate':
      return rule.columns.map((column) => missing(rule, target, column, bind)).join(' or ');
    case 'Range':
      return outside(rule, target, bind);
    case 'Pattern':
      return mismatch(rule, target, bind);
    case 'AcceptedValues':
      return unaccepted(rule, target, bind);
  }
}

const onlyColumn = (rule: RuleDefinition): string => rule.columns[0] ?? '';

function missing({ config }: RuleDefinition, target: Target, column: string, bind: Bind): string {
  const isNull = `${columnOf(target, column)} is null`;
  const values = config.missingValues ?? [];
  if (values.length === 0) return isNull;
  return `${isNull} or ${asText(target, column)} in (${values.map((value) => textValue(target, bind('String', value))).join(', ')})`;
}

function outside(rule: RuleDefinition, target: Target, bind: Bind): string {
  const { min, max } = rule.config;
  const against = (value: string | number, operator: '<' | '>'): string => {
    const bound = boundOf(value);
    if (!bound) throw new TypeError(`${value} cannot be bound.`);
    return comparison(target, onlyColumn(rule), operator, bound, bind);
  };
  const isNumber = boundOf(min ?? max ?? '')?.type === 'Number';
  const name = onlyColumn(rule);
  const noNumber = isNumber ? notFinite(target, columnOf(target, name), typeOf(target, name)) : undefined;
  return [
    ...(min == null ? [] : [against(min, '<')]),
    ...(max == null ? [] : [against(max, '>')]),
    ...(noNumber === undefined ? [] : [noNumber]),
  ].join(' or ');
}

const timeTypes = new Set(['DATE', 'DATETIME', 'TIMESTAMP']);

/** SQLite keeps times as texts of several forms, which compare as times alone. */
function comparison(target: Target, name: string, operator: '<' | '>', bound: Bound, bind: Bind): string {
  const value = bind(bound.type, bound.value);
  const column = columnOf(target, name);
  if (target.dialect.name === 'sqlite' && bound.type !== 'Number')
    return `julianday(${column}) ${operator} julianday(${value})`;
  // Types of times compare with themselves alone.
  const type = typeOf(target, name);
  if (target.dialect.name === 'bigquery' && bound.type !== 'Number' && timeTypes.has(type))
    return `${column} ${operator} cast(${value} as ${type})`;
  return `${column} ${operator} ${value}`;
}

function mismatch(rule: RuleDefinition, target: Target, bind: Bind): string {
  const name = onlyColumn(rule);
  const pattern = bind('String', rule.config.pattern ?? '');
  switch (target.dialect.name) {
    case 'postgresql':
      return `${asText(target, name)} !~ ${pattern}`;
    case 'mysql':
      return `${asText(target, name)} not regexp ${pattern}`;
    case 'duckdb':
      return `not regexp_matches(${asText(target, name)}, ${pattern})`;
    case 'clickhouse':
      return `not match(${asText(target, name)}, ${pattern})`;
    case 'bigquery':
      return `not regexp_contains(${asText(target, name)}, ${pattern})`;
    case 'snowflake':
      // Its REGEXP_LIKE asks of the whole text.
      return `regexp_instr(${asText(target, name)}, ${pattern}) = 0`;
    case 'databricks':
      return `not regexp_like(${asText(target, name)}, ${pattern})`;
    case 'sqlite':
    case 'sqlserver':
      throw new TypeError('The engine has no regular expressions.');
    case 'rest':
      throw noSql();
  }
}

function unaccepted(rule: RuleDefinition, target: Target, bind: Bind): string {
  const name = onlyColumn(rule);
  const values = rule.config.values ?? [];
  const isNumber = familyOf(typeOf(target, name)) === 'number';
  const list = values.map((value) => {
    const bound = isNumber ? boundOf(value) : undefined;
    if (bound) return bind('Number', bound.value);
    const text = bind('String', String(value));
    return isNumber ? text : textValue(target, text);
  });
  const column = isNumber ? columnOf(target, name) : asText(target, name);
  return `${column} not in (${list.join(', ')})`;
}

/**
 * What reads the rows that refer to nothing, behind FROM. A join and no subquery: the masking of engines that do not say
 * where a column comes from reads one SELECT alone.
 */
export function orphans(rule: RuleDefinition, target: Target): string {
  const { dialect } = target;
  const { schema = '', table = '', columns = [] } = rule.config;
  const others = columns.map((other) => `t.${dialect.quote(other)}`);
  const pairs = others.map((other, at) => `${other} = ${columnOf(target, rule.columns[at] ?? '')}`);
  const present = rule.columns.map((column) => `${columnOf(target, column)} is not null`);
  // ClickHouse fills the columns of no match with zeros and empty texts.
  if (dialect.name === 'clickhouse')
    return `left anti join ${tableOf(dialect, { schema, table })} t on ${pairs.join(' and ')}
    where ${present.join(' and ')}`;
  return `left join ${tableOf(dialect, { schema, table })} t on ${pairs.join(' and ')}
    where ${present.join(' and ')} and ${others[0]} is null`;
}
