import { modulesLoadedWith } from '@svc/testkit/service/loaded-modules.ts';
import { expect, it } from 'vitest';

it('the commands of a caller load neither the service nor its libraries', () => {
  const loaded = modulesLoadedWith(new URL('cli.ts', import.meta.url).href, ['whoami']);
  const isOfService = (address: string) =>
    /packages\/(server|jobs|connectors)\/|node_modules\/(pg|fastify)\//.test(address);
  expect(loaded.filter(isOfService)).toEqual([]);
  expect(loaded.some((address) => address.includes('packages/cli/'))).toBe(true);
});
