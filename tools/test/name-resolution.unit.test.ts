import { lookup } from 'node:dns/promises';
import { expect, test } from 'vitest';

test('a test asks no name server: a name of the network is one that nobody has', async () => {
  await expect(lookup('registry.npmjs.org', { all: true })).rejects.toMatchObject({
    code: 'ENOTFOUND',
    hostname: 'registry.npmjs.org',
  });
});

test('the names of the machine itself are looked up', async () => {
  const addresses = await lookup('localhost', { all: true });
  expect(addresses.map(({ address }) => address)).toContain('127.0.0.1');
});
