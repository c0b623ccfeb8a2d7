import type { MigrationJobInput } from '@svc/contract';
import { demoNames, salesSql } from './definition.ts';

/** A copy that may be run as often as one likes: the table is made by the first one, and brought in step by the others. */
export const demoMigrationJob = (shopId: number, reportsId: number): MigrationJobInput => ({
  name: demoNames.copy,
  description:
    'Keeps what was sold in each country beside the shop, for reports. Run it, and run it again later.',
  dataSourceId: shopId,
  source: { kind: 'Query', sql: salesSql },
  destinationDataSourceId: reportsId,
  destination: { schema: 'reports', table: 'sales_by_country' },
  createsTable: true,
  mode: 'Sync',
  keyColumns: ['country'],
});
