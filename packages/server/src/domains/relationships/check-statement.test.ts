import { createConnectors } from '@svc/connectors';
import { expect, test } from 'vitest';
import { checkStatement } from './check-statement.ts';

const { dialect, dryRun } = createConnectors().get('Snowflake');

test('the check of a relationship in Snowflake uses distinct values and a join instead of a subquery in a count', () => {
  const ends = {
    source: { schema: 'PUBLIC', table: 'ORDERS', columns: ['CUSTOMER_ID'] },
    target: { schema: 'PUBLIC', table: 'CUSTOMERS', columns: ['ID'] },
  };
  const sql = checkStatement(ends, dialect);
  expect(() => dryRun?.check({ sql }, {})).not.toThrow();
  expect(sql).not.toMatch(/exists/);
  expect(sql).toContain('left join (select distinct "ID" from "PUBLIC"."CUSTOMERS") t on t."ID" = v.c0');
});
