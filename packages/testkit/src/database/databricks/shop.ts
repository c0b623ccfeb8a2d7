import { type TestAnswer, type TestResult, texts } from './results.ts';
import type { Submission } from './workspace.ts';

type Right = readonly [kind: string, privilege: string];

/** Privileges and ownership of the workspace's service principals and their groups. */
const rights: Readonly<Record<string, readonly Right[]>> = {
  reader: [
    ['catalog', 'USE_CATALOG'],
    ['schema', 'USE SCHEMA'],
    ['table', 'SELECT'],
    ['catalog', 'EXECUTE'],
    ['volume', 'READ VOLUME'],
  ],
  other: [['catalog', 'BROWSE']],
  writer: [
    ['table', 'SELECT'],
    ['table', 'MODIFY'],
  ],
  maker: [['schema', 'CREATE_TABLE']],
  manager: [['catalog', 'MANAGE']],
  everything: [['catalog', 'ALL_PRIVILEGES']],
  owner: [['schema', 'OWNERSHIP']],
  uploader: [['volume', 'WRITE VOLUME']],
  admin: [],
  elsewhere: [],
};

/** Client ids of the service principals. */
export const shopUsers = Object.keys(rights);

/** Answers a statement as a workspace with a small shop. Unrecognized statements return one row. */
export function shopAnswer(submission: Submission): TestAnswer {
  const { statement } = submission;
  const unbound = unboundOf(submission);
  if (unbound !== undefined)
    return {
      message: `[UNBOUND_SQL_PARAMETER] Found the unbound parameter: ${unbound}. SQLSTATE: 42P02; line 1 pos 7`,
    };
  if (/^select current_version\(\)/.test(statement)) return whoOf(submission);
  if (/\.catalog_privileges\b/.test(statement)) return rightsOf(submission);
  if (/^explain cost\n/.test(statement)) return explain(statement);
  return catalogue(statement) ?? rowsOf(submission);
}

/** Returns the first parameter marker without a value. */
function unboundOf({ statement, parameters = [] }: Submission): string | undefined {
  const code = statement.replaceAll(/'(?:[^'\\]|\\.)*'/g, "''");
  const markers = [...code.matchAll(/:(svc_p\d+)/g)].map(([, name = '']) => name);
  return markers.find((marker) => !parameters.some(({ name }) => name === marker));
}

const noCatalog = (name: string): TestAnswer => ({
  message: `[NO_SUCH_CATALOG_EXCEPTION] Catalog '${name}' was not found. Please verify the catalog name and then retry the query or command again. SQLSTATE: 42704`,
  sqlState: '42704',
});

function whoOf({ user, session }: Submission): TestAnswer {
  if (session.catalog !== 'shop') return noCatalog(session.catalog);
  const zone = user === 'elsewhere' ? 'Europe/Berlin' : session.session_confs['timezone'];
  return {
    columns: [
      ...['dbsql_version', 'user', 'catalog', 'zone'].map((name) => ({ name, type: 'STRING' })),
      { name: 'admin', type: 'BOOLEAN' },
    ],
    rows: [['2026.30', user, 'shop', zone ?? 'UTC', String(user === 'admin')]],
  };
}

const rightsOf = ({ user }: Submission): TestResult =>
  texts(
    ['kind', 'privilege_type'],
    (rights[user] ?? []).map((right) => [...right]),
  );

/** Names that do not exist in the shop. */
const missing = /\b(?:no_such_column|nowhere)\b/;

const unresolved = (name: string, line: number, at: number): string =>
  `[UNRESOLVED_COLUMN.WITHOUT_SUGGESTION] A column, variable, or function parameter with name \`${name}\` cannot be resolved. SQLSTATE: 42703; line ${line} pos ${at}`;

const optimized = (sizes: string, writes: boolean): string[] => [
  '== Optimized Logical Plan ==',
  ...(writes ? ['AppendData RelationV2[id#7] shop.sales.orders, Statistics(sizeInBytes=1.0 B)'] : []),
  `Project [id#1L, 'a value of it' AS x#2], Statistics(sizeInBytes=2.0 KiB, rowCount=1.50E+2)`,
  `+- Join Inner, (id#1L = customer_id#4L), Statistics(sizeInBytes=6.0 KiB)`,
  `   :- Filter (status#3 = a value of it), Statistics(sizeInBytes=3.0 KiB)`,
  `   :  +- Relation shop.sales.orders[id#1L,status#3] parquet, Statistics(${sizes})`,
  '   +- Relation shop.sales.customers[id#4L] parquet, Statistics(sizeInBytes=1024.0 B, ColumnStat: N/A)',
  '',
  '== Physical Plan ==',
  '*(1) Project [id#1L]',
  '+- DeleteFromTable is no step of the plan above',
];

/** Returns the plan of a query. Other statements fail with a syntax error; an unknown name returns an error as rows. */
function explain(statement: string): TestAnswer {
  const inner = statement.replace(/^explain cost\nselect \* from \(\n/, '').replace(/\n\)$/, '');
  const code = inner.replaceAll(/\/\*[\s\S]*?\*\/|--[^\n]*/g, '');
  const first = /^(?:\(|\s)*(\w+)/.exec(code)?.[1]?.toLowerCase() ?? '';
  if (!['select', 'with', 'values'].includes(first))
    return {
      message: `\n[PARSE_SYNTAX_ERROR] Syntax error at or near '${first}'. SQLSTATE: 42601 (line 3, pos 0)\n\n== SQL ==\n${statement}`,
      sqlState: '42601',
    };
  const lines = statement.split('\n');
  const line = lines.findIndex((text) => missing.test(text));
  if (line !== -1) {
    const at = [...(lines[line] ?? '').slice(0, lines[line]?.search(missing))].length;
    const name = missing.exec(lines[line] ?? '')?.[0] ?? '';
    // This error arrives with one row per line.
    return texts(['plan'], [['Error occurred during query planning: '], [unresolved(name, line + 1, at)]]);
  }
  const plan = optimized('sizeInBytes=3.0 KiB, rowCount=1000', inner.includes('planned_to_write'));
  return texts(['plan'], [[plan.join('\n')]]);
}

const inShop = (view: string): RegExp =>
  new RegExp(`^select [\\s\\S]*? from \`shop\`\\.information_schema\\.${view}\\b`);

function catalogue(statement: string): TestResult | undefined {
  const offset = Number(/ offset (\d+)$/.exec(statement)?.[1] ?? 0);
  const page = (result: TestResult): TestResult => ({ ...result, rows: result.rows.slice(offset) });
  if (inShop('schemata').test(statement)) return page(texts(['schema_name'], [['default'], ['sales']]));
  if (inShop('tables').test(statement))
    return page(
      texts(
        ['table_schema', 'table_name', 'table_type', 'comment'],
        [
          ['default', 'recent orders', 'MATERIALIZED_VIEW', null],
          ['sales', 'customers', 'MANAGED', 'Who buys'],
          ['sales', 'orders', 'EXTERNAL', null],
        ],
      ),
    );
  if (inShop('columns').test(statement)) return page(columnsOf());
  if (inShop('table_constraints').test(statement))
    return page(
      texts(
        ['table_schema', 'table_name', 'constraint_name', 'column_name'],
        [
          ['sales', 'customers', 'customers_pk', 'id'],
          ['sales', 'orders', 'orders_pk', 'id'],
          ['sales', 'orders', 'orders_pk', 'line'],
        ],
      ),
    );
  if (inShop('referential_constraints').test(statement))
    return page(
      texts(
        [
          'table_schema',
          'table_name',
          'constraint_name',
          'column_name',
          'to_schema',
          'to_table',
          'to_column',
        ],
        [['sales', 'orders', 'orders_customer_fk', 'customer_id', 'sales', 'customers', 'id']],
      ),
    );
  return undefined;
}

const columnsOf = (): TestResult =>
  texts(
    [
      'table_schema',
      'table_name',
      'column_name',
      'full_data_type',
      'is_nullable',
      'column_default',
      'comment',
    ],
    [
      ['default', 'recent orders', 'detail', 'struct<eMail:string,n:int>', 'YES', null, null],
      ['sales', 'customers', 'id', 'bigint', 'NO', null, 'Its number'],
      ['sales', 'customers', 'email', 'varchar(200)', 'YES', null, null],
      ['sales', 'orders', 'id', 'bigint', 'NO', null, null],
      ['sales', 'orders', 'line', 'decimal(10,0)', 'NO', null, null],
      ['sales', 'orders', 'customer_id', 'bigint', 'YES', null, null],
      ['sales', 'orders', 'placed', 'timestamp_ntz', 'YES', 'current_timestamp()', null],
    ],
  );

/** Returns the rows for the keywords that tests put into statements. */
function rowsOf({ statement, parameters }: Submission): TestAnswer {
  if (/\bendless\b/.test(statement)) return 'endless';
  if (/\bfailing\b/.test(statement))
    return {
      message:
        '[CAST_INVALID_INPUT] The value \'x\' of the type "STRING" cannot be cast to "INT" because it is malformed. SQLSTATE: 22018\n== SQL (line 2, position 3) ==\n  failing\n  ^^^^^^^',
      sqlState: '22018',
    };
  if (/\bforbidden\b/.test(statement))
    return {
      message:
        "[INSUFFICIENT_PERMISSIONS] Insufficient privileges: User does not have SELECT on Table 'shop.sales.secrets'. SQLSTATE: 42501",
      sqlState: '42501',
    };
  if (/\btoo_large\b/.test(statement))
    return {
      message:
        'Inline byte limit exceeded. Statements executed with disposition=INLINE can have a result size of at most 26214400 bytes. Please execute the statement with disposition=EXTERNAL_LINKS if you want to download the full result.',
    };
  if (/\bmany_chunks\b/.test(statement)) {
    const rows = Array.from({ length: 5_000 }, (_, at) => [String(at)]);
    return { columns: [{ name: 'n', type: 'BIGINT' }], rows, chunkRows: [100, 4_000, 900] };
  }
  if (/\bno_rows\b/.test(statement)) return { columns: [{ name: 'n', type: 'BIGINT' }], rows: [] };
  const constants = constantsOf(statement, parameters);
  if (constants) return constants;
  if (/\bbound\b/.test(statement))
    return texts(['text', 'values'], [[statement, JSON.stringify(parameters ?? [])]]);
  if (/\bfrom (?:`?\w+`?\.)*`?customers\b/i.test(statement)) return customers(statement);
  return { columns: [{ name: 'one', type: 'INT' }], rows: [['1']] };
}

const customerColumns = [
  { name: 'id', type: 'BIGINT' },
  { name: 'email', type: 'STRING' },
  { name: 'balance', type: 'DECIMAL(38,10)' },
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
    customerColumns.findIndex((own) => own.name === name.replaceAll('`', '').toLowerCase()),
  );
  return {
    columns: places.flatMap((place, at) => {
      const own = customerColumns[place];
      return own ? [{ ...own, name: items[at]?.[1] ?? own.name }] : [];
    }),
    rows: customerRows.map((row) => places.flatMap((place) => row[place] ?? [])),
  };
}

/** Returns the row of a select list of constants and parameters, such as `select 1 as a, 'b' as b, :svc_p1 as c`. */
function constantsOf(statement: string, parameters: Submission['parameters'] = []): TestResult | undefined {
  const list = /^select ([^(]*)$/.exec(statement)?.[1];
  if (list === undefined || / from /.test(list)) return undefined;
  const items = list.split(',').map((item) => {
    const [, text = '', name] = /^\s*(.*?)(?: as (\w+))?\s*$/.exec(item) ?? [];
    const bound = parameters.find((each) => text === `:${each.name}`);
    if (bound) return { name, type: bound.type, value: bound.value ?? null };
    if (text === 'null') return { name, type: 'VOID', value: null };
    if (/^\d+$/.test(text)) return { name, type: 'BIGINT', value: text };
    return { name, type: 'STRING', value: text.replaceAll(/^'|'$/g, '') };
  });
  return {
    columns: items.map(({ name, type }, at) => ({ name: name ?? `c${at}`, type })),
    rows: [items.map(({ value }) => value)],
  };
}
