import { type IncomingMessage, request } from 'node:http';
import { addKey } from '@svc/testkit/people/people.ts';
import { addQuery } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const slowLastRow = `select case when n = 2000 then pg_sleep(600)::text else repeat('x', 1000) end as a
  from generate_series(1, 2000) n`;

scenario(
  ['RT-4.3-1164', 'RT-4.3-1165'],
  'an export that exceeds the time limit appears incomplete to its client, and before the first row returns a problem',
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

scenario(
  ['RT-4.3-1166'],
  'an export is complete even if its client pauses for longer than the time limit of the query',
  async ({ deliver }) => {
    const timeoutSeconds = 20;
    const { svc, root, projectId, dataSourceId } = await deliver({
      'Svc:Query:TimeoutSeconds': timeoutSeconds,
    });
    const rowCount = 40_000;
    const statement = `select n, repeat('x', 1000) as a from generate_series(1, ${rowCount}) n`;
    const queryId = await addQuery(root, projectId, dataSourceId, statement, 'Long');
    const { text: key } = await addKey(root, { scopes: ['Read', 'Execute'], projects: [projectId] });
    const authorization = `Bearer ${key}`;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${svc.origin}/svc/api/queries/${queryId}/export`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
      })
        .once('response', resolve)
        .once('error', reject)
        .end(JSON.stringify({ format: 'Csv' }));
    });
    expect(answer.statusCode).toBe(200);
    // The client reads no rows until the statement is older than its limit, by the clock of the data source.
    const isLate = async () =>
      (
        await svc.sql(`select from pg_stat_activity where query like '%generate_series(1, ${rowCount})%'
          and pid <> pg_backend_pid() and now() - xact_start > interval '${timeoutSeconds + 5} seconds'`)
      ).length > 0;
    await expect.poll(isLate, { timeout: 60_000 }).toBe(true);
    let text = '';
    for await (const piece of answer.setEncoding('utf8')) text += String(piece);
    expect([answer.complete, text.trimEnd().split('\r\n').length]).toEqual([true, rowCount + 1]);
  },
  { timeout: 300_000 },
);
