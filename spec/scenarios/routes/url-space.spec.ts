import { hostAnswer } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

scenario(
  ['ID-1-04', 'RT-1-02'],
  'the site root and every path outside /svc belong to the host application',
  async ({ start }) => {
    const client = (await start()).client();
    for (const path of ['/', '/index.html', '/api', '/svcx', '/SVC/api/health'])
      expect([path, (await client.get(path)).text]).toEqual([path, hostAnswer]);
    for (const path of ['/svc', '/svc/', '/svc/api/health', '/svc/api/nowhere', '/svc?x=1'])
      expect([path, (await client.get(path)).text]).not.toEqual([path, hostAnswer]);
  },
);
