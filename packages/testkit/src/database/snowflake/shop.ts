import { type TestAnswer, type TestResult, texts } from './results.ts';
import type { Submission } from './server.ts';

const grantColumns = ['created_on', 'privilege', 'granted_on', 'name', 'granted_to', 'grantee_name'];

type Grant = readonly [privilege: string, on: string, name: string];

/** Grants by role of the account. */
const grants: Readonly<Record<string, readonly Grant[]>> = {
  READER: [
    ['USAGE', 'WAREHOUSE', 'WORK'],
    ['USAGE', 'DATABASE', 'SHOP'],
    ['USAGE', 'ROLE', 'TABLE_READER'],
  ],
  TABLE_READER: [['SELECT', 'TABLE', 'SHOP.PUBLIC.CUSTOMERS']],
  WRITER: [
    ['USAGE', 'DATABASE', 'SHOP'],
    ['INSERT', 'TABLE', 'SHOP.PUBLIC.CUSTOMERS'],
  ],
  // Has its rights only through the role WRITER.
  INHERITOR: [['USAGE', 'ROLE', 'WRITER']],
  OF_DATABASE: [['USAGE', 'DATABASE_ROLE', 'SHOP.EDITOR']],
  ACCOUNTADMIN: [],
  PUBLIC: [],
};
const databaseGrants: Readonly<Record<string, readonly Grant[]>> = {
  'SHOP.EDITOR': [['UPDATE', 'TABLE', 'SHOP.PUBLIC.ORDERS']],
};

const grantRows = (own: readonly Grant[], name: string): TestResult =>
  texts(
    grantColumns,
    own.map(([privilege, on, of]) => ['1700000000.000', privilege, on, of, 'ROLE', name]),
  );

const failure = (code: string, sqlState: string, message: string): TestAnswer => ({
  code,
  sqlState,
  message,
});

/** Answers a statement as an account with a small shop. Unrecognized statements return one row. */
export function shopAnswer(submission: Submission): TestAnswer {
  const { statement } = submission;
  if (/^explain using json\n/.test(statement)) return explain(statement);
  if (/current_secondary_roles/.test(statement)) return whoOf(submission);
  const [, kind, name = ''] = /^show grants to (role|database role) "?([^"]*)"?$/.exec(statement) ?? [];
  if (kind === 'role' && grants[name]) return grantRows(grants[name], name);
  if (kind === 'database role') return grantRows(databaseGrants[name] ?? [], name);
  if (kind) return failure('002003', '02000', `Role '${name}' does not exist or not authorized.`);
  return catalogue(statement) ?? rowsOf(submission);
}

const roles = new Set([...Object.keys(grants), 'SECONDARY']);

function whoOf({ role, warehouse, database }: Submission): TestAnswer {
  if (!roles.has(role))
    return failure('390189', '08004', `Role '${role}' specified in the connect string is not granted.`);
  const secondary = role === 'SECONDARY' ? 'TABLE_READER,WRITER' : '';
  return texts(
    ['V', 'R', 'S', 'W', 'D'],
    [
      [
        '9.34.0',
        role === 'SECONDARY' ? 'READER' : role,
        JSON.stringify({ roles: secondary, value: secondary === '' ? '' : 'ALL' }),
        warehouse === 'WORK' ? 'WORK' : null,
        database === 'SHOP' ? 'SHOP' : null,
      ],
    ],
  );
}

/** Names that do not exist in the shop. */
const missing = /\b(?:no_such_column|nowhere)\b/;

/** Returns the plan of a query. Other statements and unknown names fail with a compilation error. */
function explain(statement: string): TestAnswer {
  const inner = statement.replace(/^explain using json\nselect \* from \(\n/, '').replace(/\n\)$/, '');
  const code = inner.replaceAll(/\/\*[\s\S]*?\*\/|(?:--|\/\/)[^\n]*/g, '');
  const wrong = /^(?:\(|\s)*(\w+)/.exec(code)?.[1]?.toLowerCase() ?? '';
  if (!['select', 'with'].includes(wrong))
    return failure(
      '001003',
      '42000',
      `SQL compilation error:\nsyntax error line 3 at position 0 unexpected '${wrong}'.`,
    );
  const lines = statement.split('\n');
  const line = lines.findIndex((text) => missing.test(text));
  if (line !== -1) {
    const at = lines[line]?.search(missing);
    const name = missing.exec(lines[line] ?? '')?.[0].toUpperCase();
    const message = `SQL compilation error: error line ${line + 1} at position ${at}\ninvalid identifier '${name}'`;
    return failure('000904', '42000', message);
  }
  const operations = [
    { id: 0, operation: 'Result', expressions: ['ORDERS.ID', "'a value of it'"] },
    ...(inner.includes('planned_to_write') ? [{ id: 2, parentOperators: [0], operation: 'Insert' }] : []),
    {
      id: 1,
      parentOperators: [0],
      operation: 'TableScan',
      objects: ['SHOP.PUBLIC.ORDERS'],
      partitionsAssigned: 3,
      partitionsTotal: 10,
      bytesAssigned: 4_096,
    },
  ];
  const stats = { partitionsTotal: 10, partitionsAssigned: 3, bytesAssigned: 4_096 };
  return texts(['content'], [[JSON.stringify({ GlobalStats: stats, Operations: [operations] })]]);
}

function catalogue(statement: string): TestResult | undefined {
  if (/from "SHOP"\.information_schema\.schemata/.test(statement))
    return texts(['SCHEMA_NAME'], [['INFORMATION_SCHEMA'], ['PUBLIC'], ['sales']]);
  if (/from "SHOP"\.information_schema\.tables/.test(statement))
    return texts(
      ['TABLE_SCHEMA', 'TABLE_NAME', 'TABLE_TYPE', 'COMMENT'],
      [
        ['PUBLIC', 'CUSTOMERS', 'BASE TABLE', 'Who buys'],
        ['PUBLIC', 'ORDERS', 'BASE TABLE', null],
        ['sales', 'recent orders', 'VIEW', null],
      ],
    );
  if (/from "SHOP"\.information_schema\.columns/.test(statement)) return columnsOf();
  if (statement === 'show primary keys in database "SHOP"')
    return texts(
      [
        'created_on',
        'database_name',
        'schema_name',
        'table_name',
        'column_name',
        'key_sequence',
        'constraint_name',
      ],
      [
        // These rows are deliberately not in the order of `key_sequence`.
        ['1.0', 'SHOP', 'PUBLIC', 'ORDERS', 'LINE', '2', 'PK_ORDERS'],
        ['1.0', 'SHOP', 'PUBLIC', 'ORDERS', 'ID', '1', 'PK_ORDERS'],
        ['1.0', 'SHOP', 'PUBLIC', 'CUSTOMERS', 'ID', '1', 'PK_CUSTOMERS'],
      ],
    );
  if (statement === 'show imported keys in database "SHOP"')
    return texts(
      [
        'created_on',
        'pk_database_name',
        'pk_schema_name',
        'pk_table_name',
        'pk_column_name',

        'fk_database_name',
        'fk_schema_name',
        'fk_table_name',
        'fk_column_name',
        'key_sequence',
        'fk_name',
      ],
      [
        [
          '1.0',
          'SHOP',
          'PUBLIC',
          'CUSTOMERS',
          'ID',
          'SHOP',
          'PUBLIC',
          'ORDERS',
          'CUSTOMER_ID',
          '1',
          'FK_CUSTOMER',
        ],
        ['1.0', 'OTHER', 'PUBLIC', 'SITES', 'ID', 'SHOP', 'PUBLIC', 'ORDERS', 'SITE_ID', '1', 'FK_SITE'],
      ],
    );
  return undefined;
}

const column = (
  name: string,
  type: string,
  size: Readonly<{ precision?: string; scale?: string; length?: string; fraction?: string }> = {},
  rest: readonly (string | null)[] = ['YES', null, null],
): (string | null)[] => [
  name,
  type,
  size.precision ?? null,
  size.scale ?? null,
  size.length ?? null,
  size.fraction ?? null,
  ...rest,
];

const columnsOf = (): TestResult =>
  texts(
    [
      'TABLE_SCHEMA',
      'TABLE_NAME',
      'COLUMN_NAME',
      'DATA_TYPE',
      'NUMERIC_PRECISION',
      'NUMERIC_SCALE',
      'CHARACTER_MAXIMUM_LENGTH',
      'DATETIME_PRECISION',
      'IS_NULLABLE',
      'COLUMN_DEFAULT',
      'COMMENT',
    ],
    [
      [
        'PUBLIC',
        'CUSTOMERS',
        ...column('ID', 'NUMBER', { precision: '38', scale: '0' }, ['NO', null, 'Its number']),
      ],
      ['PUBLIC', 'CUSTOMERS', ...column('EMAIL', 'TEXT', { length: '200' })],
      ['PUBLIC', 'ORDERS', ...column('ID', 'NUMBER', { precision: '38', scale: '0' }, ['NO', null, null])],
      ['PUBLIC', 'ORDERS', ...column('LINE', 'NUMBER', { precision: '38', scale: '0' }, ['NO', null, null])],
      ['PUBLIC', 'ORDERS', ...column('CUSTOMER_ID', 'NUMBER', { precision: '38', scale: '0' })],
      [
        'PUBLIC',
        'ORDERS',
        ...column('PLACED', 'TIMESTAMP_NTZ', { fraction: '9' }, ['YES', 'CURRENT_TIMESTAMP()', null]),
      ],
      ['sales', 'recent orders', ...column('detail', 'VARIANT')],
    ],
  );

/** Returns the rows for the keywords that tests put into statements. */
function rowsOf({ statement, bindings }: Submission): TestAnswer {
  if (/\bendless\b/.test(statement)) return 'endless';
  if (/\bfailing\b/.test(statement)) return failure('100038', '22018', "Numeric value 'x' is not recognized");
  if (/\bmany_parts\b/.test(statement)) {
    const rows = Array.from({ length: 5_000 }, (_, at) => [String(at)]);
    return { columns: [{ name: 'N', type: 'fixed', precision: 38 }], rows, partRows: [100, 4_000, 900] };
  }
  const constants = constantsOf(statement, bindings);
  if (constants) return constants;
  if (/\bbound\b/.test(statement))
    return texts(['TEXT', 'VALUES'], [[statement, JSON.stringify(bindings ?? {})]]);
  if (/\bfrom (?:"?\w+"?\.)?"?customers\b/i.test(statement)) return customers(statement);
  return texts(['ONE'], [['1']]);
}

const customerColumns = [
  { name: 'ID', type: 'fixed', precision: 38 },
  { name: 'EMAIL', type: 'text', length: 200 },
  { name: 'BALANCE', type: 'fixed', precision: 38, scale: 10 },
];
const customerRows = [
  ['1234567890123456789', 'ann@example.com', '2126764793255865396646091296.4485513215'],
  ['2', 'bob@example.com', '0.1000000000'],
];

/** Returns the columns of the select list, each under its alias or its own name. */
function customers(statement: string): TestResult {
  const list = /select\s+([\s\S]*?)\s+from/i.exec(statement)?.[1] ?? '*';
  if (list === '*') return { columns: customerColumns, rows: customerRows };
  const items = list.split(',').map((item) =>
    item
      .trim()
      .replace(/^\w\./, '')
      .split(/\s+(?:as\s+)?/i),
  );
  const places = items.map(([name = '']) =>
    customerColumns.findIndex((own) => own.name === name.replaceAll('"', '').toUpperCase()),
  );
  return {
    columns: places.flatMap((place, at) => {
      const own = customerColumns[place];
      return own ? [{ ...own, name: (items[at]?.[1] ?? own.name).toUpperCase() }] : [];
    }),
    rows: customerRows.map((row) => places.flatMap((place) => row[place] ?? [])),
  };
}

/** Returns the row of a select list of constants and parameters, such as `select 1 as a, 'b' as b, ? as c`. */
function constantsOf(statement: string, bindings: Submission['bindings']): TestResult | undefined {
  const list = /^select ([^(]*(?:cast\(\? as number\(\d+, \d+\)\)[^(]*)*)$/.exec(statement)?.[1];
  if (list === undefined || / from /.test(list)) return undefined;
  let marker = 0;
  const items = list.split(/,(?! \d+\))/).map((item) => /^\s*(.*?)(?: as (\w+))?\s*$/.exec(item) ?? []);
  const isNumber = ([, text = '']: readonly string[]) => /^\d+$|^cast\(/.test(text);
  return {
    columns: items.map((item, at) => ({
      name: (item[2] ?? `C${at}`).toUpperCase(),
      ...(isNumber(item) ? { type: 'fixed', precision: 38 } : { type: 'text' }),
    })),
    rows: [
      items.map(([, text = '']) => {
        if (text.includes('?')) return bindings?.[++marker]?.value ?? null;
        return text === 'null' ? null : text.replaceAll(/^'|'$/g, '');
      }),
    ],
  };
}
