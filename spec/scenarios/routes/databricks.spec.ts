import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const secret = 'pl4nted-s3cret';
const connection = {
  host: 'dbc-a1b2345c-d6e7.databricks.test',
  warehouseId: 'abcdef0123456789',
  catalog: 'shop',
  clientId: 'reader',
  clientSecret: secret,
};

scenario(
  ['RT-4.3-933', 'RT-4.3-934', 'RT-4.3-935', 'RT-4.3-936', 'RT-4.3-937'],
  'Databricks has two secrets, and an invalid address or missing secrets are refused at their field',
  async ({ root }) => {
    const offered = await root.get('/svc/api/data-sources/engines');
    expect(offered.body.engines).toContainEqual(
      expect.objectContaining({ engine: 'Databricks', secretFields: ['clientSecret', 'accessToken'] }),
    );
    const personal = { signIn: 'AccessToken', clientId: '', clientSecret: '' };
    const refusals: readonly (readonly [field: string, change: object])[] = [
      ['host', { host: 'https://dbc-a1b2345c-d6e7.databricks.test' }],
      ['host', { host: 'dbc-a1b2345c-d6e7.databricks.test/sql' }],
      ['host', { host: 'dbc-a1b2345c-d6e7.databricks.test:443' }],
      ['host', { host: 'reader@dbc-a1b2345c-d6e7.databricks.test' }],
      ['host', { host: '169.254.169.254' }],
      ['catalog', { catalog: 'hive_metastore' }],
      ['catalog', { catalog: 'shop.sales' }],
      ['clientId', { clientId: '' }],
      ['clientSecret', { clientSecret: '' }],
      ['clientSecret', { clientSecret: `${secret}\r\nx: y` }],
      ['accessToken', personal],
      ['accessToken', { ...personal, accessToken: `${secret} x` }],
    ];
    for (const path of ['/svc/api/data-sources', '/svc/api/data-sources/test-connection'])
      for (const [field, change] of refusals) {
        const refused = await root.post(path, {
          ...(path.endsWith('data-sources') && { name: 'Lakehouse' }),
          engine: 'Databricks',
          connection: { ...connection, ...change },
        });
        expect(refused.status, refused.text).toBe(400);
        expect(refused.body.errors).toMatchObject([{ path: `/connection/${field}` }]);
        expect(refused.text).not.toContain(secret);
      }
  },
);
