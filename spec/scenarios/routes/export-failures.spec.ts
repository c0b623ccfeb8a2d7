import { addQuery } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const slowLastRow = `select case when n = 2000 then pg_sleep(600)::text else repeat('x', 1000) end as a
  from generate_series(1, 2000) n`;

scenario(
  ['RT-4.3-1164', 'RT-4.3-1165'],
  'an export that the time limit cuts is no complete file for its client, and before the first row it is a problem',
  async ({ deliver }) => {
    const { root, projectId, dataSourceId } = await deliver({ 'Svc:Query:TimeoutSeconds': 2 });
    const cut = await addQuery(root, projectId, dataSourceId, slowLastRow, 'Cut');
    for (const format of ['Csv', 'Xlsx', 'Json'])
      await expect(root.post(`/svc/api/queries/${cut}/export`, { format })).rejects.toThrow();
    const late = await addQuery(root, projectId, dataSourceId, 'select pg_sleep(600)::text as a', 'Late');
    const answer = await root.post(`/svc/api/queries/${late}/export`, { format: 'Csv' });
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(answer.body).toMatchObject({ code: 'timed-out', status: answer.status });
  },
);
