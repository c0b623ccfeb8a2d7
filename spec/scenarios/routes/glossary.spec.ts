import { addUser, signIn } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const glossary = '/svc/api/glossary';

scenario(
  ['RT-4.3-60', 'RT-4.3-61', 'RT-2-480'],
  'an Admin adds, reads, finds, replaces and deletes terms of the glossary, and nobody else does any of it',
  async ({ deliver }) => {
    const { svc, root, projectId } = await deliver();
    const term = { term: 'Revenue', synonyms: ['Turnover'], definition: 'What customers paid.' };
    const made = await root.post(glossary, { projectId, ...term });
    expect([made.status, made.body]).toMatchObject([201, { projectId, ...term, isActive: true }]);
    const one = `${glossary}/${made.body.id}`;
    const found = async (search: string) =>
      (await root.get(`${glossary}?search=${search}`)).body.items.map(({ id }: { id: number }) => id);
    expect(await found('turnover')).toEqual([made.body.id]);
    expect(await found('nothing')).toEqual([]);
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
