import { lookup } from 'node:dns/promises';
import { expect, test } from 'vitest';

test('the lookup of a public name fails in a test, without a query to a name server', async () => {
  await expect(lookup('registry.npmjs.org', { all: true })).rejects.toMatchObject({
    code: 'ENOTFOUND',
    hostname: 'registry.npmjs.org',
  });
});

test('the names of the machine itself are resolved', async () => {
  const addresses = await lookup('localhost', { all: true });
  expect(addresses.map(({ address }) => address)).toContain('127.0.0.1');
});
