import { startBigQuery } from '@svc/testkit/database/bigquery/server.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { describe, expect, it } from 'vitest';
import type { BigQueryConnection } from './settings.ts';
import { useBigQuery } from './testing/service.ts';

const { server, connector, connection, options, calledMethods } = useBigQuery();

describe('a BigQuery connection', () => {
  it('is tested by a free statement after a new sign-in', async () => {
    const tokensBefore = server().tokensMade.length;
    expect(await connector.testConnection(connection(), options())).toEqual({
      isOk: true,
      serverVersion: 'BigQuery, project svc-tests',
      warnings: [],
    });
    expect(server().tokensMade.length - tokensBefore).toBe(2);
    expect(calledMethods()).toEqual(['datasets.get', 'jobs.insert', 'jobs.query']);
  });

  it('reports a missing dataset, a key of another service or an untrusted certificate with a specific error', async () => {
    const test = (change: Partial<BigQueryConnection>) =>
      connector.testConnection(connection(change), options());
    expect(await test({ dataset: 'nothing' })).toMatchObject({ error: { code: 'database-not-found' } });
    expect(await test({ project: 'another-project' })).toMatchObject({ isOk: false });
    const other = await startBigQuery(await createTestAuthority());
    expect(await test({ keyFile: other.connection.keyFile })).toMatchObject({
      error: { code: 'authentication-failed' },
    });
    expect(await test({ caCertificate: other.connection.caCertificate })).toMatchObject({
      error: { code: 'tls-failed' },
    });
    await other.stop();
  });
});
