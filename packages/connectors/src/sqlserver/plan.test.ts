import { describe, expect, it } from 'vitest';
import type { BoundValue } from '../bound-value.ts';
import { errorOf, rowsOf } from '../testing/results.ts';
import { planPrefix } from './plan.ts';
import { useSqlserver } from './testing/service.ts';

const { server, connector, connectionOf, optionsOf, read } = useSqlserver();

describe('a SQL Server plan', () => {
  const planned = async (sql: string, values: readonly BoundValue[] = []) =>
    connector.dryRun?.plan?.readPlan(await rowsOf(await read(planPrefix + sql, values)));

  it('is returned without running the statement', async () => {
    const plan = await planned(
      'select o.id from dbo.orders o join dbo.customers c on c.id = o.customer_id where c.email = @p1',
      [{ type: 'String', value: "it's" }],
    );
    expect(plan).toMatchObject({ estimatedRows: 250, estimatedCost: 0.5, writes: false });
    expect(plan?.steps).toEqual([
      'Hash Match (Inner Join)',
      '  Clustered Index Scan on orders using PK_orders',
      '  Clustered Index Scan on customers using PK_customers',
    ]);
    // The server is a separate process, which reports its requests with a delay.
    await expect
      .poll(() => server().events.map(({ text }) => text ?? ''))
      .toContainEqual(expect.stringMatching(/^declare @p1 nvarchar\(max\) = N'it''s'; select o\.id/));
  });

  it('without the right to see plans is replaced with a check of the statement by the server', async () => {
    const ask = (sql: string) =>
      connector.execute(connectionOf({ user: 'unplanned' }), { sql: planPrefix + sql }, optionsOf());
    const rows = await rowsOf(await ask('select id from dbo.orders'));
    expect(connector.dryRun?.plan?.readPlan(rows)).toMatchObject({ nodes: [], writes: false });
    const fault = await errorOf(ask("select nope, 'it''s' as t from dbo.orders"));
    expect(fault).toMatchObject({ engineCode: '207', position: { offset: planPrefix.length + 7 } });
  });

  it('is refused for a statement that is not a read, with the position after the prefix', async () => {
    const refused = await errorOf(read(`${planPrefix}select 1 delete from t`));
    expect(refused).toMatchObject({ code: 'not-a-read', position: { offset: planPrefix.length + 9 } });
  });
});
