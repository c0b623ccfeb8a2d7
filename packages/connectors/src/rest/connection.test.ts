import { startRestApi, type TestRestApi } from '@svc/testkit/database/rest-api.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { restDocument } from '../testing/rest-document.ts';
import { createRestConnector } from './index.ts';
import type { RestConnection } from './settings.ts';

const connector = createRestConnector();
let api: TestRestApi;
beforeAll(async () => {
  api = await startRestApi(() => ({ body: [] }));
});
beforeEach(() => api.answer(() => ({ body: [] })));
afterAll(() => api.stop());

const connection = (change: Partial<RestConnection> = {}) =>
  connector.settings.parse({
    baseUrl: api.baseUrl,
    endpoints: ['/orders', '/orders/{id}', '/people'],
    ...change,
  });
const options = () => ({ dial: api.dial, signal: new AbortController().signal, timeoutMs: 5_000 });
const documented = { openApi: JSON.stringify(restDocument), endpoints: ['/orders', '/orders/{id}'] };

describe('metadata and connection test of a REST source', () => {
  it('return the enabled endpoints as tables, without a request', async () => {
    const metadata = await connector.readMetadata(connection(documented), options());
    expect(metadata).toMatchObject({
      schemas: ['api'],
      areTablesCut: false,
      tables: [
        { schema: 'api', name: '/orders', comment: 'Orders, newest first Rows at /data.' },
        { name: '/orders/{id}', columns: [] },
      ],
    });
    expect(
      metadata.tables[0]?.columns.map(({ name, databaseType, isNullable }) => [
        name,
        databaseType,
        isNullable,
      ]),
    ).toEqual([
      ['id', 'integer', false],
      ['at', 'date-time', true],
      ['day', 'date', true],
      ['total', 'number', true],
      ['lines', 'array', true],
    ]);
    expect(api.asked).toEqual([]);
    const cut = await connector.readMetadata(connection(documented), {
      ...options(),
      maxTables: 1,
      maxColumnsPerTable: 2,
    });
    expect(cut).toMatchObject({ areTablesCut: true, areColumnsCut: true });
    expect(
      (await connector.readMetadata(connection(), { ...options(), excludeSchemas: ['API'] })).tables,
    ).toEqual([]);
  });

  it('request an endpoint that needs no value', async () => {
    const tried = async (status: number, change: Partial<RestConnection> = {}) => {
      api.answer(() => ({ status, body: { message: 'no' } }));
      const { isOk, ...rest } = await connector.testConnection(connection(change), options());
      return [isOk, 'error' in rest ? rest.error.code : rest.serverVersion];
    };
    expect(await tried(200, documented)).toEqual([true, 'Shop 2.1']);
    expect(api.asked).toEqual(['GET /v1/orders']);
    expect(await tried(400, { endpoints: ['/orders/{id}'] })).toEqual([true, 'REST API']);
    expect(api.asked).toEqual(['GET /v1/']);
    expect(await tried(401)).toEqual([false, 'authentication-failed']);
    expect(await tried(503)).toEqual([false, 'statement-failed']);
    expect(await tried(301)).toEqual([false, 'connection-failed']);
  });

  it('warn about a connection that is not encrypted', async () => {
    const test = await connector.testConnection(connection(), options());
    expect(test).toMatchObject({ isOk: true, warnings: [{ code: 'not-encrypted' }] });
  });
});

describe('settings of a REST source', () => {
  const fields = (change: object) => {
    try {
      connection(change);
      return [];
    } catch (error) {
      return (error as { fields: readonly { field: string }[] }).fields.map(({ field }) => field);
    }
  };
  it.each([
    [{ baseUrl: 'ftp://a.example' }, 'baseUrl'],
    [{ baseUrl: 'https://u:p@a.example' }, 'baseUrl'],
    [{ baseUrl: 'https://a.example/x?y' }, 'baseUrl'],
    [{ baseUrl: 'https://a.example/x/../y' }, 'baseUrl'],
    [{ baseUrl: 'https://10.0.0.1/' }, 'baseUrl'],
    [{ baseUrl: 'nowhere' }, 'baseUrl'],
    [{ endpoints: [] }, 'endpoints'],
    [{ endpoints: ['orders'] }, 'endpoints'],
    [{ endpoints: ['/a/../b'] }, 'endpoints'],
    [{ endpoints: ['/a?b'] }, 'endpoints'],
    [{ endpoints: ['//evil'] }, 'endpoints'],
    [{ endpoints: ['/a/%2e%2e'] }, 'endpoints'],
    [{ ...documented, endpoints: ['/hooks'] }, 'endpoints'],
    [{ openApi: 'openapi: 3.0.0' }, 'openApi'],
    [{ openApi: '{"paths": {}}' }, 'openApi'],
    [{ auth: 'Bearer' }, 'secret'],
    [{ auth: 'Bearer', secret: 'a\r\nx: y' }, 'secret'],
    [{ auth: 'Basic', secret: 'x' }, 'user'],
    [{ auth: 'Basic', user: 'a:b' }, 'user'],
    [{ auth: 'ApiKey', secret: 'x', keyHeader: 'host' }, 'keyHeader'],
    [{ auth: 'ApiKey', secret: 'x', keyHeader: 'a b' }, 'keyHeader'],
    [{ auth: 'ApiKeyInQuery' }, 'secret'],
    [{ auth: 'ApiKeyInQuery', secret: 'x', keyParameter: '' }, 'keyParameter'],
    [{ auth: 'ApiKeyInQuery', secret: 'x', keyParameter: 'a&b' }, 'keyParameter'],
    [{ secret: 'x' }, 'auth'],
  ])('%j are refused with the field %s', (change, field) => {
    expect(new Set(fields(change))).toEqual(new Set([field]));
  });

  it('expose no secret in their public part', () => {
    const parsed = connection({ auth: 'Bearer', secret: 's3cret' });
    expect(JSON.stringify(connector.settings.publicPart(parsed))).not.toContain('s3cret');
    expect(connector.settings.secretPart(parsed)).toEqual({ secret: 's3cret' });
  });
});
