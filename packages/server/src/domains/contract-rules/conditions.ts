import type { SqlDialect, TableMetadata } from '@svc/connectors';
import { familyOf } from '../../platform/sql-types/index.ts';
import type { Bind } from './binder.ts';
import { type Bound, boundOf } from './bound.ts';
import { notFinite } from './not-finite.ts';
import type { ConditionType, RuleDefinition, TableName } from './rule.ts';

/** Table and dialect of a statement. */
export type Target = {
  readonly dialect: Pick<SqlDialect, 'name' | 'quote'>;
  readonly table: TableMetadata;
};

/** Alias of the table in every statement. */
export const alias = 's';

export const tableOf = ({ quote }: Target['dialect'], { schema, table }: TableName): string =>
  schema === '' ? quote(table) : `${quote(schema)}.${quote(table)}`;

/** Returns a quoted column of the table. */
export const columnOf = ({ dialect }: Target, name: string): string => `${alias}.${dialect.quote(name)}`;

export const typeOf = ({ table }: Target, name: string): string =>
  table.columns.find((column) => column.name === name)?.databaseType ?? '';

/** Rules of such a source are refused when they are saved. */
const noSql = (): TypeError => new TypeError('A REST API takes no SQL.');

const textTypes = {
  postgresql: 'text',
  sqlite: 'text',
  duckdb: 'varchar',
  bigquery: 'string',
  snowflake: 'varchar',
  databricks: 'string',
} as const;

/** Returns a column as case-sensitive text, so that columns of every type can be compared with texts. */
function asText({ dialect, table }: Target, name: string): string {
  const column = columnOf({ dialect, table }, name);
  // The collation of a column may ignore case.
  if (dialect.name === 'mysql') return `convert(${column} using utf8mb4) collate utf8mb4_bin`;
  // A cast to `String` would fail for NULL.
  if (dialect.name === 'clickhouse') return `toString(${column})`;
  if (dialect.name === 'sqlserver')
    return `(cast(${column} as nvarchar(max)) + N'.') collate Latin1_General_100_BIN2`;
  if (dialect.name === 'rest') throw noSql();
  return `cast(${column} as ${textTypes[dialect.name]})`;
}

/** Returns a text for comparison with `asText`. SQL Server ignores trailing spaces; an appended character preserves them. */
const textValue = ({ dialect }: Target, value: string): string =>
  dialect.name === 'sqlserver' ? `${value} + N'.'` : value;

/** Returns the condition that a row which violates the rule meets. */
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

/** SQLite stores times as texts in several forms, which are compared after conversion to times. */
function comparison(target: Target, name: string, operator: '<' | '>', bound: Bound, bind: Bind): string {
  const value = bind(bound.type, bound.value);
  const column = columnOf(target, name);
  if (target.dialect.name === 'sqlite' && bound.type !== 'Number')
    return `julianday(${column}) ${operator} julianday(${value})`;
  // Time types can only be compared with the same type.
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
      // Its REGEXP_LIKE matches the whole text only.
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
 * Returns the clauses after FROM for rows without a referenced row. Uses a join instead of a subquery: for engines that do
 * not report column origins, the masking reads only one SELECT.
 */
export function orphans(rule: RuleDefinition, target: Target): string {
  const { dialect } = target;
  const { schema = '', table = '', columns = [] } = rule.config;
  const others = columns.map((other) => `t.${dialect.quote(other)}`);
  const pairs = others.map((other, at) => `${other} = ${columnOf(target, rule.columns[at] ?? '')}`);
  const present = rule.columns.map((column) => `${columnOf(target, column)} is not null`);
  // For rows without a match ClickHouse returns zeros and empty texts, so an anti join is used.
  if (dialect.name === 'clickhouse')
    return `left anti join ${tableOf(dialect, { schema, table })} t on ${pairs.join(' and ')}
    where ${present.join(' and ')}`;
  return `left join ${tableOf(dialect, { schema, table })} t on ${pairs.join(' and ')}
    where ${present.join(' and ')} and ${others[0]} is null`;
}
