import { generateKeyPairSync } from 'node:crypto';
import { makeKeyPair } from '@svc/testkit/database/snowflake.ts';
import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../error.ts';
import { snowflakeReaderScript } from './login.ts';
import { accountOf, keptName, snowflakeSettings } from './settings.ts';

const { privateKey } = makeKeyPair();
const good = {
  host: 'org-shop.snowflakecomputing.com',
  user: 'svc',
  privateKey,
  role: 'reader',
  warehouse: 'work',
  database: 'shop',
};
const pemOf = (bits: number): string =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();

function fieldsOf(change: object): string[] {
  try {
    snowflakeSettings.parse({ ...good, ...change });
    return [];
  } catch (error) {
    if (error instanceof ConnectorError) {
      expect(error.message).not.toContain('PRIVATE KEY');
      return error.fields.map(({ field }) => field);
    }
    throw error;
  }
}

describe('Snowflake settings', () => {
  it('have defaults, and separate every secret from the public part', () => {
    const parsed = snowflakeSettings.parse(good);
    const { privateKey: _key, ...shown } = good;
    expect(snowflakeSettings.publicPart(parsed)).toEqual({
      ...shown,
      port: 443,
      schema: 'PUBLIC',
      signIn: 'KeyPair',
    });
    expect(snowflakeSettings.secretPart(parsed)).toEqual({ privateKey, passphrase: '', accessToken: '' });
  });

  it.each<[change: object, field: string]>([
    [{ host: 'https://org-shop.snowflakecomputing.com' }, 'host'],
    [{ host: 'org-shop.snowflakecomputing.com/x' }, 'host'],
    [{ host: '10.0.0.1' }, 'host'],
    [{ role: 'a b' }, 'role'],
    [{ warehouse: '"open' }, 'warehouse'],
    [{ database: 'a.b' }, 'database'],
    [{ schema: '1a' }, 'schema'],
    [{ account: 'a.b' }, 'account'],
    [{ privateKey: '' }, 'privateKey'],
    [{ privateKey: 'no key' }, 'privateKey'],
    [{ privateKey: elliptic }, 'privateKey'],
    [{ privateKey: pemOf(1_024) }, 'privateKey'],
    [{ privateKey: makeKeyPair('a pass phrase').privateKey, passphrase: 'another' }, 'privateKey'],
    [{ signIn: 'AccessToken' }, 'accessToken'],
    [{ signIn: 'AccessToken', accessToken: 'a\r\nx: b' }, 'accessToken'],
    [{ password: 'x' }, 'password'],
  ])('are refused with the name of the invalid field: %#', (change, field) => {
    expect(fieldsOf(change)).toEqual([field]);
  });

  it('accept names in upper case or in quotes', () => {
    expect(fieldsOf({ role: '"my role"', database: '"a""b"', schema: 'x$1' })).toEqual([]);
    expect([keptName('shop'), keptName('"shop"'), keptName('"a""b"')]).toEqual(['SHOP', 'shop', 'a"b']);
  });

  it('determine the account from the host, unless it is configured', () => {
    const account = (change: object) => accountOf(snowflakeSettings.parse({ ...good, ...change }));
    expect(account({})).toBe('ORG-SHOP');
    expect(account({ host: 'xy12345.eu-central-1.snowflakecomputing.com' })).toBe('XY12345');
    expect(account({ host: 'org-my-shop.snowflakecomputing.com', account: 'org-my_shop' })).toBe(
      'ORG-MY_SHOP',
    );
  });

  it('provide a script for a role that can only read in the database', () => {
    expect(snowflakeReaderScript('shop')).toContain('grant usage on database "SHOP" to role svc_reader;');
    expect(snowflakeReaderScript('"a""b"')).toContain('select on all tables in database "a""b" to role');
    expect(snowflakeReaderScript('shop')).not.toMatch(/grant (all|insert|ownership|create)/);
  });
});
