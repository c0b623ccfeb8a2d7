import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const glossary = '/svc/api/glossary';

scenario(
  ['RT-4.3-60', 'RT-4.3-61', 'RT-2-480'],
  'only an Admin can add, read, find, replace and delete terms of the glossary',
  async ({ deliver }) => {
    const { svc, root, projectId } = await deliver();
    const term = { term: 'Revenue', synonyms: ['Turnover'], definition: 'What customers paid.' };
    const made = await root.post(glossary, { projectId, ...term });
    expect([made.status, made.body]).toMatchObject([201, { projectId, ...term, isActive: true }]);
    const one = `${glossary}/${made.body.id}`;
    const idsMatching = async (search: string) =>
      (await root.get(`${glossary}?search=${search}`)).body.items.map(({ id }: { id: number }) => id);
    expect(await idsMatching('turnover')).toEqual([made.body.id]);
    expect(await idsMatching('nothing')).toEqual([]);
    const later = { term: 'Revenue', definition: 'What was invoiced.' };
    expect((await root.put(one, later)).status).toBe(200);
    expect((await root.get(one)).body).toMatchObject({ ...later, synonyms: [] });

    const others = ['Editor', 'Viewer', 'SecurityAdmin', 'UserAdmin', 'Auditor'] as const;
    for (const role of others) {
      const client = await signIn(svc, await addUser(svc, `a-${role.toLowerCase()}`, [role]));
      const answers = [
        await client.get(glossary),
        await client.get(one),
        await client.post(glossary, { projectId, ...term, term: role }),
        await client.put(one, later),
        await client.delete(one),
      ];
      expect([role, ...answers.map(({ status }) => status)]).toEqual([role, 403, 403, 403, 403, 403]);
    }
    expect((await root.delete(one)).status).toBe(204);
    expect((await root.get(one)).status).toBe(404);
  },
);

scenario(
  ['RT-4.3-840', 'RT-4.3-841'],
  'a metric that the data source cannot compute is refused with its error, and is marked as broken if it fails later',
  async ({ deliver }) => {
    const { root, projectId, dataSourceId, source } = await deliver();
    await source.sql('create table sales (id int primary key, amount int)');
    const refreshed = await root.post(`/svc/api/data-sources/${dataSourceId}/refresh-metadata`);
    expect(refreshed.status).toBe(200);
    const term = {
      projectId,
      dataSourceId,
      term: 'Revenue',
      definition: 'What customers paid.',
      target: { schema: 'public', table: 'sales', column: null },
    };
    const refused = await root.post(glossary, { ...term, metricExpression: 'sum(amounts)' });
    expect([refused.status, refused.body.errors]).toMatchObject([
      400,
      [{ path: '/metricExpression', message: expect.stringContaining('"amounts" does not exist') }],
    ]);
    const { status, body } = await root.post(glossary, { ...term, metricExpression: 'sum(amount)' });
    expect([status, body.isBroken]).toEqual([201, false]);
    await source.sql('alter table sales rename column amount to total');
    expect((await root.post(`${glossary}/recheck`, { projectId })).body).toMatchObject({ brokenCount: 1 });
    expect((await root.get(`${glossary}/${body.id}`)).body).toMatchObject({
      isBroken: true,
      brokenReason: expect.stringContaining('"amount" does not exist'),
    });
  },
);

scenario(
  ['RT-4.3-842', 'RT-4.3-843'],
  'a glossary is unchanged after export and import as CSV, and an import with an invalid record saves nothing',
  async ({ deliver }) => {
    const { root, projectId } = await deliver();
    const term = { term: '=Revenue; "net"', synonyms: ['a;b', "'-x"], definition: 'Paid,\nwithout tax.' };
    const made = await root.post(glossary, { projectId, ...term });
    const document = (await root.get(`${glossary}/export?projectId=${projectId}`)).text;
    const again = await root.post(`${glossary}/import`, { projectId, document });
    expect([again.status, again.body]).toEqual([
      200,
      { createdCount: 0, changedCount: 0, unchangedCount: 1, refused: [] },
    ]);
    expect((await root.get(`${glossary}/${made.body.id}`)).body).toEqual(made.body);
    const wrong = await root.post(`${glossary}/import`, {
      projectId,
      document: 'term,definition\nChurn,Who left.\nMargin,\n',
    });
    expect([wrong.status, wrong.body.errors]).toEqual([
      400,
      [{ path: '/document', message: 'Line 3, definition: is empty' }],
    ]);
    expect((await root.get(`${glossary}?search=Churn`)).body.totalCount).toBe(0);
  },
);
