import type { Result } from './shop.ts';
import type { TokenColumn, TokenValue } from './tokens.ts';

/** Logins of the tests, with the rows that the server returns about their rights. */
export const logins = new Map<string, { readonly password: string; readonly says: readonly string[][] }>([
  ['reader', { password: 's3cret-Passw0rd', says: [] }],
  [
    'writer',
    {
      password: 's3cret-Passw0rd',
      says: [
        ['writes', 'INSERT'],
        ['writes', 'db_datawriter'],
      ],
    },
  ],
  [
    'sa',
    {
      password: 's3cret-Passw0rd',
      says: [
        ['administrator', 'sysadmin'],
        ['files', 'ADMINISTER BULK OPERATIONS'],
        ['writes', 'CONTROL'],
      ],
    },
  ],
  ['old', { password: 's3cret-Passw0rd', says: [['version', '10.50.6000.34']] }],
  ['unplanned', { password: 's3cret-Passw0rd', says: [] }],
]);

const result = (types: readonly string[], rows: readonly (readonly TokenValue[])[]): Result => ({
  columns: types.map((type, at): TokenColumn => ({ name: `c${at}`, type })),
  rows,
});

const orders = 2;
const customers = 1;
const recent = 3;

/** Columns with types of `sys.types`. Lengths are in bytes, as in `sys.columns`. */
const columns: readonly (readonly [
  number,
  string,
  string,
  number,
  number,
  number,
  boolean,
  string | null,
])[] = [
  [customers, 'id', 'int', 4, 10, 0, false, null],
  [customers, 'email', 'nvarchar', 400, 0, 0, false, null],
  [customers, 'name', 'nvarchar', -1, 0, 0, true, "(N'nobody')"],
  [orders, 'id', 'bigint', 8, 19, 0, false, null],
  [orders, 'customer_id', 'int', 4, 10, 0, true, null],
  [orders, 'status', 'varchar', 20, 0, 0, true, null],
  [orders, 'total', 'decimal', 17, 38, 10, true, null],
  [orders, 'placed', 'datetime2', 8, 27, 7, true, null],
  [recent, 'id', 'bigint', 8, 19, 0, false, null],
];

/** Returns the answer to a catalogue query; undefined for other statements. */
export function catalogueAnswer(sql: string, user: string): Result | undefined {
  if (sql.startsWith("select N'version' as kind")) {
    const says = logins.get(user)?.says ?? [];
    const version = says.some(([kind]) => kind === 'version') ? [] : [['version', '16.0.4135.4']];
    return result(['nvarchar', 'nvarchar'], [...version, ...says]);
  }
  if (/^select top \(\d+\) o\.object_id, s\.name, o\.name/.test(sql))
    return result(
      ['int', 'nvarchar', 'nvarchar', 'bit', 'nvarchar'],
      [
        [customers, 'dbo', 'customers', false, 'Who buys.'],
        [orders, 'dbo', 'orders', false, null],
        [recent, 'sales', 'recent orders', true, null],
      ],
    );
  if (/^select top \(\d+\) c\.object_id, c\.name, t\.name/.test(sql))
    return result(
      ['int', 'nvarchar', 'nvarchar', 'int', 'int', 'int', 'bit', 'nvarchar', 'nvarchar'],
      columns.map((column) => [...column, column[1] === 'email' ? 'Where to write.' : null]),
    );
  if (/^select top \(\d+\) i\.object_id/.test(sql))
    return result(
      ['int', 'nvarchar', 'bit', 'bit', 'nvarchar'],
      [
        [customers, 'PK_customers', true, true, 'id'],
        [orders, 'PK_orders', true, true, 'id'],
        [orders, 'IX_orders_status', false, false, 'status'],
        [orders, 'IX_orders_status', false, false, 'placed'],
      ],
    );
  if (/^select top \(\d+\) k\.parent_object_id/.test(sql))
    return result(
      ['int', 'nvarchar', 'nvarchar', 'nvarchar', 'nvarchar', 'nvarchar'],
      [[orders, 'FK_orders_customers', 'customer_id', 'dbo', 'customers', 'id']],
    );
  return undefined;
}

/** Returns the plan of a statement in the format of `SHOWPLAN_XML`, with a scan of each named table. */
export function planOf(sql: string): Result {
  const tables = [...sql.matchAll(/\b(?:from|join)\s+(?:\[?dbo\]?\.)?\[?(\w+)\]?/gi)].map(
    ([, name]) => name ?? '',
  );
  const type = /^\s*(?:declare[^;]*;\s*)?(?:select|with)\b/i.test(sql) ? 'SELECT' : 'DELETE';
  const scan = (table: string, at: number): string =>
    `<RelOp NodeId="${at}" PhysicalOp="Clustered Index Scan" LogicalOp="Clustered Index Scan" EstimateRows="${(at + 1) * 100}" EstimatedTotalSubtreeCost="0.0${at + 3}"><IndexScan><Object Database="[shop]" Schema="[dbo]" Table="[${table}]" Index="[PK_${table}]"/><Predicate><ScalarOperator ScalarString="[status]=N&apos;a &gt; b&apos;"/></Predicate></IndexScan></RelOp>`;
  const inner = tables.map(scan).join('');
  const steps =
    tables.length < 2
      ? inner
      : `<RelOp NodeId="9" PhysicalOp="Hash Match" LogicalOp="Inner Join" EstimateRows="250" EstimatedTotalSubtreeCost="0.5"><Hash>${inner}</Hash></RelOp>`;
  const xml = `<ShowPlanXML xmlns="http://schemas.microsoft.com/sqlserver/2004/07/showplan" Version="1.564"><BatchSequence><Batch><Statements><StmtSimple StatementText="x" StatementType="${type}"><QueryPlan>${steps}</QueryPlan></StmtSimple></Statements></Batch></BatchSequence></ShowPlanXML>`;
  return { columns: [{ name: 'Microsoft SQL Server 2005 XML Showplan', type: 'nvarchar' }], rows: [[xml]] };
}
