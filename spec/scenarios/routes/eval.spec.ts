import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const golden = '/svc/api/eval/golden';

scenario(
  ['RT-4.3-58', 'RT-4.3-59', 'RT-2-481'],
  'an Admin adds, reads, finds, replaces and deletes golden examples, and nobody else does any of it',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId } = await deliver();
    await source.sql('create table invoices (id int primary key, paid boolean)');
    const example = {
      ...{ dataSourceId, question: 'How many invoices are open?' },
      sql: 'select count(*) from invoices where not paid',
    };
    const made = await root.post(golden, { projectId, ...example });
    expect([made.status, made.body]).toMatchObject([
      201,
      { ...example, expected: 'Rows', isActive: true, isBroken: false },
    ]);
    const refused = await root.post(golden, {
      ...{ projectId, dataSourceId, question: 'Who paid?' },
      sql: 'select payer from invoices',
    });
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid-golden-example']);
    const one = `${golden}/${made.body.id}`;
    const found = async (search: string) =>
      (await root.get(`${golden}?search=${search}`)).body.items.map(({ id }: { id: number }) => id);
    expect(await found('OPEN')).toEqual([made.body.id]);
    expect(await found('nothing')).toEqual([]);
    const later = { dataSourceId, question: 'How many invoices will be paid?', expected: 'NoAnswer' };
    expect((await root.put(one, later)).status).toBe(200);
    expect((await root.get(one)).body).toMatchObject({ ...later, sql: null });

    const others = ['Editor', 'Viewer', 'SecurityAdmin', 'UserAdmin', 'Auditor', 'DataSourceAdmin'] as const;
    for (const role of others) {
      const client = await signIn(svc, await addUser(svc, `a-${role.toLowerCase()}`, [role]));
      const answers = [
        await client.get(golden),
        await client.get(one),
        await client.post(golden, { projectId, ...example }),
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
  ['RT-4.3-482', 'RT-4.3-486'],
  'a re-check marks golden examples whose statement the database does not accept any more, for Admins alone',
  async ({ deliver }) => {
    const { svc, root, source, projectId, dataSourceId } = await deliver();
    await source.sql('create table invoices (id int primary key); create table parts (id int primary key)');
    const add = async (table: string): Promise<number> => {
      const question = `How many ${table} are there?`;
      const sql = `select count(*) from ${table}`;
      return (await root.post(golden, { projectId, dataSourceId, question, sql })).body.id;
    };
    const [invoices, parts] = [await add('invoices'), await add('parts')];
    await source.sql('alter table parts rename to spares');
    const editor = await signIn(svc, await addUser(svc, 'an-editor', ['Editor']));
    expect((await editor.post(`${golden}/recheck`, { projectId })).status).toBe(403);
    const broken = async () =>
      (await root.get(`${golden}?brokenOnly=true`)).body.items.map(({ id }: { id: number }) => id);
    expect(await broken()).toEqual([]);
    const rechecked = await root.post(`${golden}/recheck`, { projectId });
    expect([rechecked.status, rechecked.body]).toEqual([
      200,
      { checkedCount: 2, brokenCount: 1, uncheckedCount: 0, remainingCount: 0 },
    ]);
    expect(await broken()).toEqual([parts]);
    expect((await root.get(`${golden}/${parts}`)).body.brokenReason).toContain('parts');
    expect((await root.get(`${golden}/${invoices}`)).body).toMatchObject({ isBroken: false });
    await source.sql('alter table spares rename to parts');
    await root.post(`${golden}/recheck`, {});
    expect(await broken()).toEqual([]);
  },
);
