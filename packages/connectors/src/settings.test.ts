import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createConnectors } from './connectors.ts';
import { ConnectorError } from './error.ts';

const connectors = createConnectors();
const network = { host: 'db.example.com', database: 'shop', user: 'reader', password: 'p' };

const pem = { type: 'pkcs8', format: 'pem' } as const;
const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export(pem);
const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem);
const keyFile = (change: object = {}): string =>
  JSON.stringify({
    type: 'service_account',
    private_key_id: 'k',
    private_key: rsaKey,
    client_email: 'a@b.test',
    ...change,
  });

function fieldsOf(engine: string, input: unknown): string[] {
  try {
    connectors.get(engine).settings.parse(input);
  } catch (error) {
    if (error instanceof ConnectorError) return error.fields.map(({ field }) => field);
    throw error;
  }
  return [];
}

describe('connection settings', () => {
  it('have defaults, and separate the secret from the public part', () => {
    const { settings } = connectors.get('PostgreSQL');
    const parsed = settings.parse(network);
    expect(settings.publicPart(parsed)).toEqual({
      host: 'db.example.com',
      port: 5432,
      database: 'shop',
      user: 'reader',
      tlsMode: 'VerifyFull',
    });
    expect(settings.secretPart(parsed)).toEqual({ password: 'p' });
    expect(connectors.get('MySQL').settings.parse(network)).toMatchObject({ port: 3306 });
    expect(connectors.get('ClickHouse').settings.parse(network)).toMatchObject({
      port: 8443,
      tlsMode: 'VerifyFull',
    });
    expect(connectors.get('SqlServer').settings.parse(network)).toMatchObject({ port: 1433 });
    const project = { project: 'my-project', keyFile: keyFile() };
    expect(connectors.get('BigQuery').settings.parse(project)).toEqual({
      ...project,
      dataset: '',
      location: '',
      maxBilledGib: 10,
    });
    expect(connectors.get('BigQuery').settings.publicPart(project)).not.toHaveProperty('keyFile');
    const api = { baseUrl: 'https://api.example.com/v1', endpoints: ['/orders'] };
    expect(connectors.get('Rest').settings.parse(api)).toMatchObject({ ...api, auth: 'None' });
  });

  it('are refused with the name of the invalid field', () => {
    expect(fieldsOf('PostgreSQL', { ...network, port: 0 })).toEqual(['port']);
    expect(fieldsOf('PostgreSQL', { ...network, user: undefined })).toEqual(['user']);
    expect(fieldsOf('PostgreSQL', { ...network, sslmode: 'x' })).toEqual(['sslmode']);
    expect(fieldsOf('PostgreSQL', { ...network, tlsMode: 'Prefer' })).toContain('tlsMode');
    expect(fieldsOf('PostgreSQL', { ...network, caCertificate: 'x' })).toEqual(['caCertificate']);
    expect(fieldsOf('MySQL', { ...network, host: '10.0.0.1' })).toEqual(['tlsMode']);
    expect(fieldsOf('ClickHouse', { ...network, host: '10.0.0.1' })).toEqual(['tlsMode']);
    expect(fieldsOf('ClickHouse', { ...network, password: 'a\r\nx-header: b' })).toEqual(['password']);
    expect(fieldsOf('Rest', { baseUrl: 'https://api.example.com', endpoints: [] })).toEqual(['endpoints']);
    for (const change of [
      { type: 'authorized_user' },
      { client_email: '' },
      { private_key: 'x' },
      { private_key: ecKey },
      { universe_domain: 'evil.test' },
    ])
      expect(fieldsOf('BigQuery', { project: 'my-project', keyFile: keyFile(change) })).toEqual(['keyFile']);
    for (const [field, value] of [
      ['keyFile', 'no JSON'],
      ['project', '../x'],
      ['project', 'a/b'],
      ['dataset', 'a.b'],
      ['location', 'EU&x=1'],
      ['maxBilledGib', 0],
    ] as const)
      expect(fieldsOf('BigQuery', { project: 'my-project', keyFile: keyFile(), [field]: value })).toEqual([
        field,
      ]);
    for (const host of [
      '/var/run/postgresql',
      'a b',
      'user@host',
      'host:5432',
      '\\\\host\\pipe',
      '',
      'a?x=1',
    ]) {
      expect(fieldsOf('PostgreSQL', { ...network, host }), host).toEqual(['host']);
    }
    expect(fieldsOf('PostgreSQL', { ...network, host: '::1' })).toEqual([]);
    expect(fieldsOf('SQLite', { file: 'shop.db' })).toEqual(['file']);
    expect(fieldsOf('DuckDB', { files: [] })).toEqual(['files']);
    expect(fieldsOf('DuckDB', { files: [{ name: 'a-b', path: '/x.csv' }] })).toEqual(['files.0.name']);
    expect(fieldsOf('DuckDB', { files: [{ name: 'a', path: '/x.db' }] })).toEqual(['files.0.path']);
    const twice = [
      { name: 'a', path: '/x.csv' },
      { name: 'A', path: '/y.csv' },
    ];
    expect(fieldsOf('DuckDB', { files: twice })).toEqual(['files']);
    for (const input of [null, 'postgres://x', 1, []])
      expect(fieldsOf('PostgreSQL', input), String(input)).not.toEqual([]);
  });

  it('are parsed without changing the input', () => {
    const input = Object.freeze({ ...network });
    connectors.get('PostgreSQL').settings.parse(input);
    expect(input).toEqual(network);
  });
});
