import { ConnectorError, createConnectors, type EngineName } from '@svc/connectors';
import { hasClickhouse, startClickhouse, type TestClickhouse } from '@svc/testkit/database/clickhouse.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunSql, RunSqlRefusal } from '../run-sql/index.ts';
import { rowsOf } from '../run-sql/testing/results.ts';
import { cleanEngineError } from './index.ts';
import { leaksIn, person, textsOf } from './testing/raising.ts';
import { raisingClickhouse } from './testing/raising-clickhouse.ts';

const isClickhouseThere = hasClickhouse();
const connectors = createConnectors();
let clickhouse: TestClickhouse | undefined;

beforeAll(async () => {
  if (!isClickhouseThere) return;
  clickhouse = await startClickhouse();
  await clickhouse.query('create database shop');
  await clickhouse.query(
    'create table customers (id Int32, name String, email String, iban String, phone String, card Int64) engine = MergeTree order by id',
    'shop',
  );
  const { name, email, iban, phone, card } = person;
  await clickhouse.query(
    `insert into customers values (1, '${name}', '${email}', '${iban}', '${phone}', ${card})`,
    'shop',
  );
}, 600_000);

afterAll(async () => {
  await connectors.close();
  await clickhouse?.stop();
});

describe('an error of ClickHouse', () => {
  it.skipIf(!isClickhouseThere)(
    'repeats no value of a row, regardless of the function that raises it',
    async () => {
      const server = clickhouse;
      if (!server) throw new Error('ClickHouse did not start.');
      const connection = {
        host: server.host,
        port: server.port,
        database: 'shop',
        tlsMode: 'Disable',
        user: 'default',
        password: '',
      };
      const runSql = createRunSql({ connectors, dial: server.dial });
      const leaks: string[] = [];
      let raised = 0;
      for (const sql of raisingClickhouse) {
        const error: unknown = await runSql
          .run({
            steps: [{ order: 1, sql, dataSource: { id: 'click', engine: 'ClickHouse', connection } }],
            signal: new AbortController().signal,
            masking: { isEnabled: true },
          })
          .then(rowsOf)
          .then(
            () => undefined,
            (thrown: unknown) => thrown,
          );
        if (error === undefined) continue;
        raised += 1;
        expect(error, sql).toBeInstanceOf(RunSqlRefusal);
        if (leaksIn(textsOf(error), sql).length > 0) leaks.push(sql);
      }
      expect(leaks).toEqual([]);
      expect(raised).toBeGreaterThanOrEqual(50);
    },
    600_000,
  );
});

/** Messages that repeat a value, from HTTP engines and SQL Server. Sources: the documentation and real servers. */
const messages = (value: string): readonly string[] => [
  `Conversion failed when converting the varchar value '${value}' to data type int.`,
  `Error converting data type nvarchar to bigint: ${value}`,
  `String or binary data would be truncated in table 'shop.dbo.customers', column 'iban'. Truncated value: '${value}'.`,
  `JSON text is not properly formatted. Unexpected character '${value}' is found at position 0.`,
  `Invalid object name '${value}'.`,
  `Invalid column name '${value}'.`,
  `Incorrect syntax near '${value}'.`,
  `The conversion of the nvarchar value '${value}' overflowed an int column.`,
  `Numeric value '${value}' is not recognized`,
  `Date '${value}' is not recognized`,
  `Timestamp '${value}' is not recognized`,
  `Boolean value '${value}' is not recognized`,
  `Error parsing JSON: unknown keyword "${value}", pos 3`,
  `Failed to cast variant value "${value}" to FIXED`,
  `String '${value}' is too long and would be truncated`,
  `invalid identifier '${value}'`,
  `Object '${value}' does not exist or not authorized.`,
  `SQL compilation error: ${value}`,
  `Division by zero: ${value}`,
  `Invalid regular expression: '${value}', missing closing )`,
  `[CAST_INVALID_INPUT] The value '${value}' of the type "STRING" cannot be cast to "INT" because it is malformed.`,
  `[CANNOT_PARSE_TIMESTAMP] Text '${value}' could not be parsed at index 0.`,
  `[USER_RAISED_EXCEPTION] ${value}`,
  `[INVALID_ARRAY_INDEX] The index ${value} is out of bounds.`,
  `[MAP_KEY_DOES_NOT_EXIST] Key ${value} does not exist.`,
  `[NUMERIC_VALUE_OUT_OF_RANGE] The ${value} rounded half up cannot be represented.`,
  `[INVALID_PARAMETER_VALUE.URL] Cannot decode the provided URL: ${value}.`,
  `[TABLE_OR_VIEW_NOT_FOUND] The table or view \`${value}\` cannot be found.`,
  `[UNRESOLVED_COLUMN] A column with name \`${value}\` cannot be resolved.`,
  `[PARSE_SYNTAX_ERROR] Syntax error at or near '${value}'.`,
  `Bad int64 value: ${value}`,
  `Bad double value: ${value}`,
  `Bad bool value: ${value}`,
  `Could not cast literal "${value}" to type DATE`,
  `Invalid timestamp: '${value}'`,
  `Invalid date: '${value}'`,
  `Failed to parse input string "${value}"`,
  `Cannot parse regular expression: missing ): ${value}(`,
  `Failed to decode invalid base64 string: ${value}`,
  `Unrecognized name: ${value} at [1:8]`,
  `Table "${value}" must be qualified with a dataset (e.g. dataset.table).`,
  `Not found: Table p:d.${value} was not found in location EU`,
  `Function not found: ${value} at [1:8]`,
  `Syntax error: Unexpected identifier "${value}" at [1:1]`,
  `Array index ${value} is out of bounds`,
  `Query error: ${value} at [1:8]`,
  `Input to UNNEST is ${value}`,
  `Unknown identifier \`${value}\` in scope SELECT 1`,
  `Cannot parse string '${value}' as Int32: syntax error at begin of string`,
  `Value passed to 'throwIf' function is non-zero: ${value}`,
];

const engines: readonly EngineName[] = [
  'ClickHouse',
  'SqlServer',
  'BigQuery',
  'Snowflake',
  'Databricks',
  'Rest',
];

describe.each(engines)('an error message of %s', (engine) => {
  it('repeats no value in any of its forms', () => {
    const sql = 'select f(iban) from customers';
    const values = [person.iban, person.email, person.name, `${person.name}\n${person.iban}`];
    const leaks = values.flatMap((value) =>
      messages(value).filter((message) => {
        const error = new ConnectorError('statement-failed', message, { engineCode: '245' });
        return leaksIn(textsOf(cleanEngineError(error, { engine, sql })), sql).length > 0;
      }),
    );
    expect(messages('x')).toHaveLength(50);
    expect(leaks).toEqual([]);
  });
});
