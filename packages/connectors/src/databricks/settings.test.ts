import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../error.ts';
import { databricksReaderScript, rightsStatement } from './login.ts';
import { databricksSettings } from './settings.ts';

const good = {
  host: 'dbc-a1b2345c-d6e7.cloud.databricks.com',
  warehouseId: 'abcdef0123456789',
  catalog: 'shop',
  clientId: 'f0e1d2c3-0000-4000-8000-000000000000',
  clientSecret: 'd0se-s3cret:x',
};

function fieldsOf(change: object): string[] {
  try {
    databricksSettings.parse({ ...good, ...change });
    return [];
  } catch (error) {
    if (error instanceof ConnectorError) {
      expect(error.message).not.toContain('s3cret');
      return error.fields.map(({ field }) => field);
    }
    throw error;
  }
}

describe('Databricks settings', () => {
  it('have defaults, and separate every secret from the public part', () => {
    const parsed = databricksSettings.parse(good);
    const { clientSecret, ...shown } = good;
    expect(databricksSettings.publicPart(parsed)).toEqual({
      ...shown,
      port: 443,
      schema: 'default',
      signIn: 'ServicePrincipal',
    });
    expect(databricksSettings.secretPart(parsed)).toEqual({ clientSecret, accessToken: '' });
  });

  it.each<[change: object, field: string]>([
    [{ host: 'https://dbc.cloud.databricks.com' }, 'host'],
    [{ host: 'dbc.cloud.databricks.com/sql' }, 'host'],
    [{ host: 'dbc.cloud.databricks.com:443' }, 'host'],
    [{ host: 'me@dbc.cloud.databricks.com' }, 'host'],
    [{ host: '10.0.0.1' }, 'host'],
    [{ host: '[::1]' }, 'host'],
    [{ warehouseId: '/sql/1.0/warehouses/abc' }, 'warehouseId'],
    [{ warehouseId: 'a?b=c' }, 'warehouseId'],
    [{ catalog: 'a.b' }, 'catalog'],
    [{ catalog: 'a b' }, 'catalog'],
    [{ catalog: '`a`' }, 'catalog'],
    [{ catalog: 'Hive_Metastore' }, 'catalog'],
    [{ schema: 'a/b' }, 'schema'],
    [{ clientId: '' }, 'clientId'],
    [{ clientId: 'a:b' }, 'clientId'],
    [{ clientId: 'a b' }, 'clientId'],
    [{ clientSecret: '' }, 'clientSecret'],
    [{ clientSecret: 's3cret\n' }, 'clientSecret'],
    [{ signIn: 'AccessToken' }, 'accessToken'],
    [{ signIn: 'AccessToken', accessToken: 's3cret\r\nx: b' }, 'accessToken'],
    [{ password: 'x' }, 'password'],
  ])('are refused with the name of the invalid field: %#', (change, field) => {
    expect(fieldsOf(change)).toEqual([field]);
  });

  it('accept names with special characters, which statements quote', () => {
    expect(fieldsOf({ catalog: 'my-shop', schema: 'größe' })).toEqual([]);
    expect(fieldsOf({ catalog: "o'x" })).toEqual([]);
    expect(rightsStatement("o'x\\")).toContain("`o'x\\`.information_schema.catalogs");
    expect(rightsStatement("o'x\\")).toContain("catalog_name = 'o\\'x\\\\'");
  });

  it('provide a script for a service principal that can only read in the catalog', () => {
    expect(databricksReaderScript('my-shop').split('\n').slice(0, 3)).toEqual([
      'grant use catalog on catalog `my-shop` to `the application ID of the service principal`;',
      'grant use schema on catalog `my-shop` to `the application ID of the service principal`;',
      'grant select on catalog `my-shop` to `the application ID of the service principal`;',
    ]);
    expect(databricksReaderScript('shop')).not.toMatch(/grant (all|modify|manage|create)/);
  });
});
