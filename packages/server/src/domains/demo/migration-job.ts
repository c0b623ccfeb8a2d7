import type { MigrationJobInput } from '@svc/contract';
import { demoNames, salesSql } from './definition.ts';

/** Repeatable copy: the first run creates the table, and later runs update it. */
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
