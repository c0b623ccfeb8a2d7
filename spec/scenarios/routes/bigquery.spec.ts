import { generateKeyPairSync } from 'node:crypto';
import { createConnectors } from '@svc/connectors';
import { startBigQuery } from '@svc/testkit/database/bigquery/server.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { expect } from 'vitest';
import { createRunSql } from '../../../packages/server/src/gateways/run-sql/index.ts';
import { scenario } from '../support/scenario.ts';

const pem = { type: 'pkcs8', format: 'pem' } as const;
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const key = privateKey.export(pem).toString();
const file = (change: object = {}): string =>
  JSON.stringify({
    type: 'service_account',
    private_key_id: 'k',
    private_key: key,
    client_email: 'reader@my-project.iam.gserviceaccount.com',
    ...change,
  });

scenario(
  ['RT-4.3-930', 'RT-4.3-931', 'RT-4.3-932'],
  'the key file of BigQuery is a secret, and an invalid one is refused without being repeated',
  async ({ root }) => {
    const offered = await root.get('/svc/api/data-sources/engines');
    expect(offered.body.engines).toContainEqual(
      expect.objectContaining({ engine: 'BigQuery', secretFields: ['keyFile'] }),
    );
    const send = (path: string, keyFile: string, change: object = {}) =>
      root.post(path, {
        ...(path.endsWith('data-sources') && { name: 'Warehouse' }),
        engine: 'BigQuery',
        connection: { project: 'my-project', keyFile, ...change },
      });
    for (const path of ['/svc/api/data-sources', '/svc/api/data-sources/test-connection']) {
      for (const keyFile of [
        file().slice(0, -1),
        file({ type: 'authorized_user' }),
        file({ client_email: undefined }),
        file({ universe_domain: 'evil.test' }),
        file({ private_key: key.replace('PRIVATE', 'PUBLIC') }),
      ]) {
        const refused = await send(path, keyFile);
        expect(refused.status, refused.text).toBe(400);
        expect(refused.body.errors).toMatchObject([{ path: '/connection/keyFile' }]);
        expect(refused.text).not.toContain(key.slice(80, 120));
      }
      const elsewhere = await send(path, file(), { project: '../evil' });
      expect(elsewhere.status, elsewhere.text).toBe(400);
      expect(elsewhere.body.errors).toMatchObject([{ path: '/connection/project' }]);
      expect(elsewhere.text).not.toContain(key.slice(80, 120));
    }
  },
);

scenario(
  ['RT-4.3-1035'],
  'a step of BigQuery reports scanned and billed bytes, and reports billed bytes as unknown if BigQuery omits them',
  async ({ onEnd }) => {
    const server = await startBigQuery(await createTestAuthority());
    const connectors = createConnectors();
    onEnd(async () => {
      await connectors.close();
      await server.stop();
    });
    // The host names of BigQuery are fixed, so a custom dialler connects to the simulated server.
    const runSql = createRunSql({ connectors, dial: server.dial });
    const dataSource = { id: '1', engine: 'BigQuery', connection: server.connection } as const;
    const { finished, batches } = await runSql.run({
      steps: ['select 1', 'select n from shop.slow', 'select 1 as policed'].map((sql, index) => ({
        order: index + 1,
        dataSource,
        sql,
      })),
      masking: { isEnabled: false },
      signal: new AbortController().signal,
    });
    for await (const _batch of batches);
    expect((await finished).stepResults.map(({ usage }) => usage)).toEqual([
      { scannedBytes: 1_024, billedBytes: 10_485_760 },
      { scannedBytes: 1_024, billedBytes: null },
      { scannedBytes: 1_024, billedBytes: null },
    ]);
    expect(server.faults).toEqual([]);
  },
);
