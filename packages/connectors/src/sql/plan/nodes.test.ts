import { describe, expect, test } from 'vitest';
import { bigqueryNodes } from './bigquery.ts';
import { clickhouseNodes } from './clickhouse.ts';
import { databricksPlan } from './databricks.ts';
import { duckdbNodes } from './duckdb.ts';
import { mysqlNodes } from './mysql.ts';
import { postgresqlNodes } from './postgresql.ts';
import { snowflakePlan } from './snowflake.ts';
import { sqliteNodes } from './sqlite.ts';
import { sqlserverPlan } from './sqlserver.ts';

const tuples = (nodes: ReturnType<typeof postgresqlNodes>) =>
  nodes.map(({ depth, label, estimatedRows, estimatedCost }) => [depth, label, estimatedRows, estimatedCost]);

describe('nodes of a query plan', () => {
  test('for PostgreSQL have join, index, table, rows, cost and depth, without conditions', () => {
    const plan = {
      'Node Type': 'Hash Join',
      'Join Type': 'Left',
      'Plan Rows': 5,
      'Total Cost': 12.5,
      'Hash Cond': "(a.name = 'secret')",
      Plans: [
        { 'Node Type': 'Seq Scan', 'Relation Name': 'orders', 'Plan Rows': 3, 'Total Cost': 1.5 },
        { 'Node Type': 'Index Scan', 'Relation Name': 'users', 'Index Name': 'users_pkey' },
      ],
    };
    const nodes = tuples(postgresqlNodes(plan));
    expect(nodes).toEqual([
      [0, 'Left Hash Join', 5, 12.5],
      [1, 'Seq Scan on orders', 3, 1.5],
      [1, 'Index Scan using users_pkey on users', null, null],
    ]);
    expect(JSON.stringify(nodes)).not.toContain('secret');
  });

  test('for MySQL have the total cost, and tables with keys, rows and costs', () => {
    const plan = {
      query_block: {
        select_id: 1,
        cost_info: { query_cost: '4.70' },
        ordering_operation: {
          using_filesort: true,
          nested_loop: [
            {
              table: {
                table_name: 'orders',
                access_type: 'ALL',
                rows_examined_per_scan: 40,
                cost_info: { prefix_cost: '4.25' },
                used_columns: ['id'],
                attached_condition: "name = 'secret'",
              },
            },
            {
              table: {
                table_name: 'users',
                access_type: 'eq_ref',
                key: 'PRIMARY',
                rows_examined_per_scan: 1,
              },
            },
          ],
        },
      },
    };
    expect(tuples(mysqlNodes(plan))).toEqual([
      [0, 'query block', null, 4.7],
      [1, 'ordering operation', null, null],
      [2, 'nested loop', null, null],
      [3, 'ALL on orders', 40, 4.25],
      [3, 'eq_ref using PRIMARY on users', 1, null],
    ]);
  });

  test('for SQLite form a tree by the ids of their parents', () => {
    const rows = [
      [2, 0, 0, 'SCAN orders'],
      [5, 2, 0, 'SEARCH users USING INDEX users_id (id=?)'],
      [9, 0, 0, 'USE TEMP B-TREE FOR ORDER BY'],
    ];
    expect(tuples(sqliteNodes(rows))).toEqual([
      [0, 'SCAN orders', null, null],
      [1, 'SEARCH users USING INDEX users_id (id=?)', null, null],
      [0, 'USE TEMP B-TREE FOR ORDER BY', null, null],
    ]);
  });

  test('for DuckDB have estimated rows and table names, without filters', () => {
    const plan = [
      {
        name: 'HASH_GROUP_BY',
        children: [
          {
            name: 'SEQ_SCAN ',
            children: [],
            extra_info: { Table: 'orders', Filters: "name='secret'", 'Estimated Cardinality': '3' },
          },
        ],
        extra_info: {},
      },
    ];
    const nodes = tuples(duckdbNodes(plan));
    expect(nodes).toEqual([
      [0, 'hash group by', null, null],
      [1, 'seq scan on orders', 3, null],
    ]);
  });

  test('for BigQuery have the scan size with its accuracy, and the tables below', () => {
    const labels = (plan: unknown) => bigqueryNodes(plan).map(({ depth, label }) => [depth, label]);
    expect(labels({ scannedBytes: 1_610_612_736, accuracy: 'exact', tables: ['shop.orders'] })).toEqual([
      [0, 'Scan 1.5 GiB'],
      [1, 'Read shop.orders'],
    ]);
    expect(labels({ scannedBytes: 0, accuracy: 'at-most' })).toEqual([[0, 'Scan at most 0 bytes']]);
    expect(labels({ scannedBytes: 1_024, accuracy: 'unknown' })).toEqual([[0, 'Scan about 1 KiB']]);
    expect(labels({ scannedBytes: 1_024, accuracy: 'at-least' })).toEqual([[0, 'Scan at least 1 KiB']]);
    expect(bigqueryNodes({ scannedBytes: 7 })[0]).toMatchObject({ estimatedCost: 7, estimatedRows: null });
    expect(labels({})).toEqual([]);
    expect(labels('x')).toEqual([]);
  });

  test('for Snowflake have parents, tables and sizes without expressions, and the plan states whether it writes', () => {
    const scan = { operation: 'TableScan', objects: ['SHOP.PUBLIC.ORDERS'], expressions: ["'secret'"] };
    const planOf = (...steps: object[]) =>
      JSON.stringify({ GlobalStats: { bytesAssigned: 4_096 }, Operations: [steps] });
    const plan = snowflakePlan(
      planOf(
        { id: 0, operation: 'Result' },
        { id: 1, parentOperators: [0], operation: 'InnerJoin' },
        {
          ...scan,
          id: 2,
          parentOperators: [1],
          partitionsAssigned: 3,
          partitionsTotal: 10,
          bytesAssigned: 512,
        },
        { ...scan, id: 3, parent: 1 },
      ),
    );
    expect(plan?.writes).toBe(false);
    expect(tuples(plan?.nodes ?? [])).toEqual([
      [0, 'Result', null, 4_096],
      [1, 'Inner Join', null, null],
      [2, 'Table Scan on SHOP.PUBLIC.ORDERS (3 of 10 partitions)', null, 512],
      [2, 'Table Scan on SHOP.PUBLIC.ORDERS', null, null],
    ]);
    for (const operation of ['Insert', 'Delete', 'Merge', 'CreateTableAsSelect', 'Unload', 'Sequence'])
      expect(snowflakePlan(planOf({ id: 0, operation }))?.writes, operation).toBe(true);
    for (const text of ['', '{', '[]', '{"Operations": 1}']) expect(snowflakePlan(text)).toBeUndefined();
    expect(snowflakePlan('{"Operations": [[null, {"id": 0}], 1]}')?.nodes).toHaveLength(1);
    // Steps in a cycle of parents have no root, so they are omitted.
    expect(snowflakePlan(planOf({ id: 0, parent: 1 }, { id: 1, parent: 0 }))?.nodes).toEqual([]);
    const endless = JSON.stringify({ Operations: [Array.from({ length: 500_000 }, () => ({}))] });
    expect(snowflakePlan(endless)).toBeUndefined();
  });

  test('for Snowflake are limited in number if steps share an id', () => {
    const steps = Array.from({ length: 120 }, (_step, at) => ({
      id: Math.floor(at / 2),
      operation: 'Join',
      ...(at > 1 && { parent: Math.floor(at / 2) - 1 }),
    }));
    expect(snowflakePlan(JSON.stringify({ Operations: [steps] }))?.nodes).toHaveLength(200);
  });

  test('for ClickHouse have its step names and tables, without conditions', () => {
    const read = { 'Node Type': 'ReadFromMergeTree', Description: 'shop.orders' };
    const filter = { 'Node Type': 'Filter', Description: "name = 'secret'", Plans: [read] };
    expect(tuples(clickhouseNodes([{ Plan: { 'Node Type': 'Expression', Plans: [filter] } }]))).toEqual([
      [0, 'Expression', null, null],
      [1, 'Filter', null, null],
      [2, 'Read From Merge Tree on shop.orders', null, null],
    ]);
    expect(clickhouseNodes({ Plan: 5 })).toEqual([]);
  });

  test('for SQL Server have their tables without conditions, and the plan states whether it writes', () => {
    const scan = `<RelOp PhysicalOp="Table Scan" LogicalOp="Table Scan" EstimateRows="3" EstimatedTotalSubtreeCost="0.003">
      <TableScan><Object Schema="[dbo]" Table="[a]]b &amp; c]"/><Predicate ScalarString="[x]=&apos;secret&apos;"/></TableScan></RelOp>`;
    const sort = `<RelOp PhysicalOp="Sort" LogicalOp="Sort" EstimateRows="1.5" EstimatedTotalSubtreeCost="0.01"><Sort>${scan}</Sort></RelOp>`;
    const planOf = (type: string) =>
      sqlserverPlan(`<ShowPlanXML><StmtSimple StatementType="${type}">${sort}</StmtSimple></ShowPlanXML>`);
    expect(tuples(planOf('SELECT').nodes)).toEqual([
      [0, 'Sort', 1.5, 0.01],
      [1, 'Table Scan on a]b & c', 3, 0.003],
    ]);
    expect([planOf('SELECT').writes, planOf('DELETE').writes]).toEqual([false, true]);
    expect(sqlserverPlan('<RelOp><RelOp>')).toMatchObject({
      nodes: [{ depth: 0 }, { depth: 1 }],
      writes: false,
    });
    expect(sqlserverPlan('</RelOp><a b="').nodes).toEqual([]);
  });

  test.each([[null], ['text'], [[]], [{}], [[{ Plans: 5, children: {} }]]])(
    'are empty for the invalid plan %j',
    (plan) => {
      expect(mysqlNodes(plan)).toEqual([]);
      expect(postgresqlNodes(plan).length + duckdbNodes(plan).length).toBeLessThan(4);
    },
  );

  test('are limited for a plan with thousands of nodes or levels', () => {
    const wide = {
      'Node Type': 'Append',
      Plans: Array.from({ length: 5_000 }, () => ({ 'Node Type': 'Scan' })),
    };
    expect(postgresqlNodes(wide)).toHaveLength(200);
    let deep: Record<string, unknown> = { 'Node Type': 'Scan' };
    for (let level = 0; level < 5_000; level++) deep = { 'Node Type': 'Limit', Plans: [deep] };
    expect(postgresqlNodes(deep)).toHaveLength(61);
  });

  test('for Databricks have parents, tables and sizes without expressions, and the plan states whether it writes', () => {
    const planOf = (...lines: string[]) =>
      databricksPlan(
        ['== Optimized Logical Plan ==', ...lines, '', '== Physical Plan ==', 'DropTable'].join('\n'),
      );
    const { plan } = planOf(
      "Project [x#1, 'secret' AS y#2], Statistics(sizeInBytes=16.0 B, rowCount=3)",
      '+- Join Inner, (a#1 = secret), Statistics(sizeInBytes=1743.2 TiB, ColumnStat: N/A)',
      '   :- Filter isnotnull(a#1), Statistics(sizeInBytes=1.5 KiB)',
      '   :  +- Relation shop.sales.orders[a#1,b#2] parquet, Statistics(sizeInBytes=1.5 KiB, rowCount=1.20E+3)',
      '   +- RelationV2[a#3] `shop`.`sales`.`x y` shop.sales.x, Statistics(sizeInBytes=1.0 KiB)',
    );
    expect(plan).toEqual({
      writes: false,
      nodes: [
        { depth: 0, label: 'Project', estimatedRows: 3, estimatedCost: 2_560 },
        { depth: 1, label: 'Join', estimatedRows: null, estimatedCost: 2_560 },
        { depth: 2, label: 'Filter', estimatedRows: null, estimatedCost: 1_536 },
        { depth: 3, label: 'Relation on shop.sales.orders', estimatedRows: 1_200, estimatedCost: 1_536 },
        { depth: 2, label: 'Relation V2 on `shop`.`sales`.`x', estimatedRows: null, estimatedCost: 1_024 },
      ],
    });
    for (const operator of [
      'AppendData',
      'InsertIntoStatement',
      'OverwriteByExpression',
      'DeleteFromTable',
      'MergeIntoTable',
      'CreateTableAsSelect',
      'DropTable',
      'CommandResult',
      'ExecutedCommandExec',
      'ScriptTransformation',
      'SaveIntoDataSourceCommand',
      'UpdateTable',
      'WriteFiles',
      'ReplaceData',
      'Call',
    ])
      expect([operator, planOf('Project [a#1]', `+- ${operator} x`).plan?.writes]).toEqual([operator, true]);
    expect(planOf('Aggregate [a#1], [count(1)]', '+- OneRowRelation').plan?.writes).toBe(false);
    expect(databricksPlan('Error occurred during query planning: \n[X] why; line 3 pos 1')).toEqual({
      plan: undefined,
      reason: '[X] why; line 3 pos 1',
    });
    for (const text of ['', '== Physical Plan ==\nScan', '== Optimized Logical Plan ==\n', '{"a": 1}'])
      expect(databricksPlan(text)).toEqual({ plan: undefined, reason: undefined });
  });
});
