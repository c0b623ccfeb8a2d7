import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../../platform/db/index.ts';
import { appendToSection } from '../index.ts';

let fixture: RunFixture;
let documentation: string;
let path: string;
beforeAll(async () => {
  fixture = await startRunFixture();
  documentation = `/svc/api/projects/${fixture.projectId}/documentation`;
  path = `${documentation}/versions`;
});
afterAll(() => fixture.close());

const write = async (kind: string, content: string) =>
  expect((await fixture.root.put(`${documentation}/${kind}`, { content })).status).toBe(200);
const versions = async (query = '') => (await fixture.root.get(`${path}${query}`)).body;
const version = async (number: number) => (await fixture.root.get(`${path}/${number}`)).body;
const newest = async () => (await versions('?pageSize=1')).items[0];

async function generate(): Promise<void> {
  const { body } = await fixture.root.post(
    `/svc/api/projects/${fixture.projectId}/generate-documentation?model=false`,
  );
  await until('the documentation', async () => {
    const { generation } = (await fixture.root.get(documentation)).body;
    return generation.jobId === body.jobId && generation.finishedAt !== null ? true : undefined;
  });
}

describe('versions of the documentation', () => {
  test('show the changes by a generation, by a user and by a learned sentence', async () => {
    expect(await versions()).toEqual({ items: [], totalCount: 0, pageCount: 0 });
    await generate();
    const kinds = ['DataModel', 'DataFlows', 'CodeLineage', 'DataQuality'];
    const first = await newest();
    expect(first).toMatchObject({ number: 1, cause: 'Generated', madeByUserName: 'root' });
    expect(first.changes.map(({ kind }: { kind: string }) => kind)).toEqual(kinds);
    expect(first.changes[0]).toMatchObject({ title: 'Data model', provenance: 'Facts', removedLines: 0 });
    await generate();
    expect(await newest()).toEqual(first);

    await write('Notes', 'One.\nTwo.\nTwo.');
    await write('Notes', 'One.\nTwo.\nThree.\nFour.');
    expect(await newest()).toMatchObject({
      number: 3,
      cause: 'Written',
      madeByUserName: 'root',
      changes: [{ kind: 'Notes', provenance: 'Person', addedLines: 2, removedLines: 1 }],
    });
    expect((await version(3)).changes).toMatchObject([
      { content: 'One.\nTwo.\nThree.\nFour.', previousContent: 'One.\nTwo.\nTwo.', addedLines: 2 },
    ]);
    expect((await version(2)).changes).toMatchObject([{ previousContent: null, addedLines: 3 }]);
    await write('Notes', 'One.\nTwo.\nThree.\nFour.');
    expect((await newest()).number).toBe(3);

    const { sections } = (await fixture.root.get(documentation)).body;
    const notes = sections.find(({ kind }: { kind: string }) => kind === 'Notes');
    await createDatabase(fixture.svc.database).transaction((tx) =>
      appendToSection(tx, fixture.projectId, 'Notes', {
        content: 'Five.',
        userId: 1,
        expectedVersion: notes.version,
      }),
    );
    expect(await newest()).toMatchObject({
      number: 4,
      cause: 'Patched',
      changes: [{ kind: 'Notes', addedLines: 1, removedLines: 0 }],
    });
  });

  test('include the acceptance of a proposal, and not its rejection', async () => {
    await write('DataFlows', 'By hand.');
    const { number } = await newest();
    await generate();
    expect((await newest()).number).toBe(number);
    expect((await fixture.root.delete(`${documentation}/DataFlows/proposal`)).status).toBe(204);
    expect((await newest()).number).toBe(number);
    await generate();
    const { sections } = (await fixture.root.get(documentation)).body;
    const flows = sections.find(({ kind }: { kind: string }) => kind === 'DataFlows');
    await write('DataFlows', flows.proposedContent);
    expect(await newest()).toMatchObject({
      number: number + 1,
      cause: 'Taken',
      changes: [{ kind: 'DataFlows', provenance: 'Facts' }],
    });
  });

  test('of simultaneous changes by users are numbered consecutively', async () => {
    const before = (await newest()).number;
    await Promise.all(
      ['Notes', 'DataModel', 'DataFlows', 'CodeLineage'].map((kind) => write(kind, `${kind} at once`)),
    );
    const { items } = await versions('?pageSize=4&sort=-number');
    expect(items.map(({ number }: { number: number }) => number - before)).toEqual([4, 3, 2, 1]);
  });

  test('are retained for the last fifty changes, together with the present text of each section', async () => {
    await write('DataQuality', 'Kept, as nobody writes it any more.');
    const { number: kept } = await newest();
    for (let at = 1; at <= 60; at += 1) await write('Notes', `Note ${at}`);
    const { items, totalCount } = await versions('?pageSize=200&sort=number');
    const numbers = items.map(({ number }: { number: number }) => number);
    expect(numbers.slice(-50)).toEqual(Array.from({ length: 50 }, (_, at) => kept + 11 + at));
    expect([totalCount, numbers.includes(kept)]).toEqual([items.length, true]);
    expect(items.length).toBeLessThan(60);
    expect(await version(kept + 11)).toMatchObject({
      changes: [{ previousContent: null, content: 'Note 11' }],
    });
    expect((await fixture.root.get(`${path}/${kept + 10}`)).status).toBe(404);
    await write('DataQuality', 'Kept, as nobody writes it any more.');
    expect((await newest()).number).toBe(kept + 60);
  });
});

describe('status 404', () => {
  test('returns 404 for an unknown version, and for the versions of a project that the caller cannot read', async () => {
    for (const number of ['0', '99999', 'newest'])
      expect((await fixture.root.get(`${path}/${number}`)).status, number).toBe(404);
    const outsider = await fixture.person('outsider', 'Viewer');
    expect((await outsider.get(path)).status).toBe(200);
    const { database } = fixture.svc;
    await database.query(`update svc.projects set access_mode = 'Restricted' where id = $1`, [
      fixture.projectId,
    ]);
    const { number } = await newest();
    expect([(await outsider.get(path)).status, (await outsider.get(`${path}/${number}`)).status]).toEqual([
      404, 404,
    ]);
  });
});
