import { expect, test } from 'vitest';
import { issuesOf, type Looked } from './issues.ts';

const connection = { baseUrl: 'https://api.example.com', endpoints: ['/orders'] };
const destinationColumns = ['id'].map((name) => ({ name, kind: 'integer' as const, databaseType: 'int8' }));

/** Returns an incremental copy of orders, from a source of this engine. */
const looked = (engine: string) =>
  ({
    definition: {
      source: { kind: 'Query', sql: '{"path": "/orders"}' },
      dataSource: { id: 'a', engine, connection },
      destinationDataSource: { id: 'b', engine: 'PostgreSQL', connection: {} },
      destination: { schema: 'public', table: 'orders' },
      createsTable: true,
      mode: 'Insert',
      incremental: { column: 'id', lookbackSeconds: 0, above: null },
      personalData: 'Copy',
    },
    sourceColumns: destinationColumns,
    gate: { isPersonal: () => false },
    destination: { table: null, missingToCreate: [] },
    mapping: { columns: [], issues: [] },
    keyColumns: [],
  }) as unknown as Looked;

test('an incremental copy from a REST API is refused with the issue incremental-mode', () => {
  expect(issuesOf(looked('PostgreSQL'))).toEqual([]);
  expect(issuesOf(looked('Rest'))).toMatchObject([{ code: 'incremental-mode', column: 'id' }]);
});
