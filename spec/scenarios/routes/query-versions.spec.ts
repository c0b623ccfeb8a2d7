import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const queries = '/svc/api/queries';
const versions = '/svc/api/query-versions';
type Versions = { items: { id: number; versionNumber: number }[]; totalCount: number };

scenario(
  ['RT-4.3-28', 'RT-4.3-206', 'RT-4.3-207', 'RT-4.3-208', 'RT-4.3-209', 'RT-2-201'],
  'versions of a query can be listed, read, compared, run and restored, and its history shows the author and reason',
  async ({ deliver }) => {
    const { root, sink, projectId, dataSourceId } = await deliver();
    const definition = (sql: string) => ({ name: 'Late orders', steps: [{ dataSourceId, sql }] });
    const made = await root.post(queries, { projectId, ...definition('select 1 as n') });
    const { id } = made.read<{ id: number }>();
    await root.put(`${queries}/${id}`, { ...definition('select 2 as n'), changeReason: 'Twice as many' });

    const list = (await root.get(`${queries}/${id}/versions`)).read<Versions>();
    expect(list).toMatchObject({ totalCount: 2, items: [{ versionNumber: 2 }, { versionNumber: 1 }] });
    const [second, first] = list.items.map((version) => version.id);
    expect((await root.get(`${versions}/${first}`)).body).toMatchObject({
      steps: [{ sql: 'select 1 as n', isSourceLinked: true }],
    });
    expect((await root.get(`${versions}/diff?from=${first}&to=${second}`)).body).toMatchObject({
      parts: [{ part: 'Step', before: { sql: 'select 1 as n' }, after: { sql: 'select 2 as n' } }],
    });
    const preview = await root.post(`${versions}/${first}/preview`, {});
    expect(preview.body).toMatchObject({ versionNumber: 1, rows: [[1]] });

    const recipientId = await addRecipient(root, {
      notificationType: 'Webhook',
      destination: `${sink.url}/versions`,
    });
    const run = await runNow(root, await addSubscription(root, { queryId: id, recipientIds: [recipientId] }));
    expect(run).toMatchObject({ queryVersionId: second, versionNumber: 2 });

    const restored = await root.post(`${versions}/${first}/restore`, { changeReason: 'Too many' });
    expect(restored.body).toMatchObject({ versionNumber: 3, steps: [{ sql: 'select 1 as n' }] });
    expect((await root.get(`${queries}/${id}/change-history`)).body).toMatchObject({
      items: [
        { kind: 'Version', versionNumber: 3, source: 'Restore', reason: 'Too many' },
        { kind: 'Version', versionNumber: 2, source: 'User', reason: 'Twice as many', parts: ['Step'] },
        { kind: 'Version', versionNumber: 1, reason: null },
      ],
    });
  },
);
