import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from './load.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-config-'));
function file(name: string, content: string): string {
  const full = path.join(folder, name);
  writeFileSync(full, content);
  return full;
}
const empty = file('empty.json', '{}');

describe('sources of settings', () => {
  test('the environment overrides the file, and code overrides both', () => {
    const named = file(
      'a.json',
      '{"Svc":{"Host":{"Port":1,"Address":"0.0.0.0"},"ApiKeys":{"MaxLifetimeDays":30}}}',
    );
    const { config, origins } = loadConfig({
      file: named,
      env: { Svc__Host__Port: '2', Svc__ApiKeys__MaxLifetimeDays: '40' },
      values: { 'Svc:ApiKeys:MaxLifetimeDays': 50 },
    });
    expect(config['Svc:Host:Address']).toBe('0.0.0.0');
    expect(config['Svc:Host:Port']).toBe(2);
    expect(config['Svc:ApiKeys:MaxLifetimeDays']).toBe(50);
    expect(origins.get('Svc:Host:Port')).toBe('the environment');
  });

  test('keys ignore case, and PORT is weaker than its key', () => {
    const { config } = loadConfig({
      file: empty,
      env: { SVC__HOST__PORT: '3', PORT: '4', svc__host__address: '::1' },
    });
    expect(config['Svc:Host:Port']).toBe(3);
    expect(config['Svc:Host:Address']).toBe('::1');
  });

  test('a list is read from numbered variables or from one JSON value', () => {
    const numbered = loadConfig({
      file: empty,
      env: { Svc__Notifications__AllowedHeaders__1: 'B', Svc__Notifications__AllowedHeaders__0: 'A' },
    });
    const json = loadConfig({ file: empty, env: { Svc__Notifications__AllowedHeaders: '["A","B"]' } });
    expect(numbered.config['Svc:Notifications:AllowedHeaders']).toEqual(['A', 'B']);
    expect(json.config['Svc:Notifications:AllowedHeaders']).toEqual(['A', 'B']);
  });

  test.each([
    'postgres://svc:p%23ss@db.example.org:5432/svc?sslmode=verify-full',
    'postgresql://svc:p@ss w:rd@10.0.0.1/svc',
    'postgres://svc@[::1]:5432/svc',
    'postgres:///svc?host=/var/run/postgresql',
    'postgres://svc@/svc?host=/var/run/postgresql',
    'postgres://%2Fvar%2Frun%2Fpostgresql/svc',
    'socket:/var/run/postgresql?db=svc',
    '/var/run/postgresql svc',
  ])('the connection string %s is accepted', (address) => {
    const { config } = loadConfig({ file: empty, env: { Svc__Database__ConnectionString: address } });
    expect(config['Svc:Database:ConnectionString']).toBe(address);
  });

  test('a secret is read from the file that its _FILE variable names', () => {
    const secretFile = file('token', `${'t'.repeat(32)}\n`);
    const { config } = loadConfig({ file: empty, env: { Svc__UserManagement__SetupToken_FILE: secretFile } });
    expect(config['Svc:UserManagement:SetupToken']).toBe('t'.repeat(32));
  });
});

describe('invalid settings', () => {
  test.each([
    [{ Svc__Nonsense: '1' }, 'Unknown setting Svc:Nonsense'],
    [{ Svc__Nonsense: '1' }, '(from the environment). See docs/settings.md for the list.'],
    [{ Svc__Host__Port__0: '1' }, 'Unknown setting Svc:Host:Port:0'],
    [
      { Svc__Hots__Port: '1' },
      'Unknown setting Svc:Hots:Port (from the environment). Did you mean Svc:Host:Port?',
    ],
    [{ Svc__EncryptionKey__File: '/etc/key' }, 'Did you mean Svc:EncryptionKey?'],
    [
      { Svc__Database__ConnectionString: 'host=db user=svc password=hunter2' },
      'Svc:Database:ConnectionString (from the environment) must be a URL such as postgres://user:password@host:5432/svc',
    ],
    [{ Svc__Database__ConnectionString: 'postgres://svc:p#ss@db/svc' }, 'in which #, / and ? of a password'],
    [
      { Svc__Database__ConnectionString: 'postgres://svc:p@db:54x2/svc' },
      'must be a URL such as postgres://',
    ],
    [
      { Svc__Database__ReadConnectionString: 'mysql://db/svc' },
      'Svc:Database:ReadConnectionString (from the environment) must be a URL such as postgres://',
    ],
    [
      { Svc__Host__Port: 'eighty' },
      'Svc:Host:Port (from the environment) must be a whole number from 0 to 65535',
    ],
    [{ Svc__Host__Port: '70000' }, 'Svc:Host:Port (from the environment) must be a whole number'],
    [
      { Svc__UserManagement__SetupToken: 'short' },
      'Svc:UserManagement:SetupToken (from the environment) must be at least 32 characters long',
    ],
    [
      { Svc__UserManagement__LocalLogin__Enabled: 'maybe' },
      'LocalLogin:Enabled (from the environment) must be true or false',
    ],
    [{ Svc__Logging__Level: 'loud' }, 'Svc:Logging:Level (from the environment) must be one of trace'],
    [{ Svc__Notifications__AllowedHeaders: 'A' }, 'AllowedHeaders (from the environment) must be a list'],
    [
      { Svc__EncryptionKey_FILE: '/does/not/exist' },
      'The file that Svc__EncryptionKey_FILE names cannot be read',
    ],
    [{ SVC_CONFIG: '/does/not/exist.json' }, 'The configuration file /does/not/exist.json does not exist'],
  ])('are refused with their key: %o', (env, message) => {
    expect(() => loadConfig({ env: env as Record<string, string> })).toThrow(message);
  });

  test('are refused in a configuration file that is not JSON', () => {
    expect(() => loadConfig({ file: file('bad.json', '{') })).toThrow('is not valid JSON');
  });
});
