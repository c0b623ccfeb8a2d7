import { person } from '@svc/testkit/runs/approve.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

scenario(
  ['RT-4.3-827'],
  'each change of the documentation creates a version, and readers can page through versions and their changes',
  async ({ deliver }) => {
    const fixture = await deliver();
    const { root, projectId } = fixture;
    const documentation = `/svc/api/projects/${projectId}/documentation`;
    for (const content of ['One.', 'One.\nTwo.', 'Two.'])
      expect((await root.put(`${documentation}/Notes`, { content })).status).toBe(200);
    const reader = await person(fixture, 'Viewer');
    const page = async (at: number) =>
      (await reader.get(`${documentation}/versions?page=${at}&pageSize=2`)).body;
    expect(await page(0)).toMatchObject({
      totalCount: 3,
      pageCount: 2,
      items: [
        { number: 3, cause: 'Written', changes: [{ kind: 'Notes', addedLines: 0, removedLines: 1 }] },
        { number: 2, changes: [{ kind: 'Notes', addedLines: 1, removedLines: 0 }] },
      ],
    });
    expect(await page(1)).toMatchObject({ items: [{ number: 1, changes: [{ addedLines: 1 }] }] });
    const { body } = await reader.get(`${documentation}/versions/3`);
    expect(body.changes).toMatchObject([{ previousContent: 'One.\nTwo.', content: 'Two.' }]);
  },
);
