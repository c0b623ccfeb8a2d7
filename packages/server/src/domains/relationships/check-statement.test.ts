import { createConnectors } from '@svc/connectors';
import { expect, test } from 'vitest';
import { checkStatement } from './check-statement.ts';

const { dialect, dryRun } = createConnectors().get('Snowflake');

test('a relationship of Snowflake is checked without a subquery within a count, each value once', () => {
  const ends = {
    source: { schema: 'PUBLIC', table: 'ORDERS', columns: ['CUSTOMER_ID'] },
    target: { schema: 'PUBLIC', table: 'CUSTOMERS', columns: ['ID'] },
  };
  const sql = checkStatement(ends, dialect);
  expect(() => dryRun?.check({ sql }, {})).not.toThrow();
  expect(sql).not.toMatch(/exists/);
  expect(sql).toContain('left join (select distinct "ID" from "PUBLIC"."CUSTOMERS") t on t."ID" = v.c0');
});
