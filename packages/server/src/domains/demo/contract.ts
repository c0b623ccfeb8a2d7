import type { DataContractInput } from '@svc/contract';
import { demoNames } from './definition.ts';

/** Contract on the shop's orders. One order in eleven is late, so the contract fails. */
export const demoContract = (projectId: number, shopId: number): DataContractInput => ({
  projectId,
  dataSourceId: shopId,
  schemaName: 'shop',
  tableName: 'orders',
  name: demoNames.contract,
  description: 'Fails on purpose: one order in eleven is late. Open it to see which rows broke the rule.',
  cronExpression: '0 * * * *',
  timeZone: 'UTC',
  rules: [
    { name: 'New orders arrive', type: 'Freshness', columns: ['placed_at'], config: { maxAgeMinutes: 60 } },
    { name: 'Order numbers are unique', type: 'Uniqueness', columns: ['id'] },
    { name: 'Every order has a customer', type: 'NullRate', columns: ['customer_id'] },
    {
      name: 'Few orders are late',
      type: 'AcceptedValues',
      columns: ['status'],
      config: { values: ['Open', 'Shipped'] },
      severity: 'Critical',
      unit: 'Percent',
      failAbove: 5,
    },
  ],
});
