import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import { approvedPatterns, learnedLengthMax } from './approved.ts';
import type { Pattern } from './mining/pattern.ts';
import { proposePatch } from './patch-store.ts';
import { savePatterns } from './pattern-store.ts';

const patterns = '/svc/api/mcp/learned-patterns';
const patches = '/svc/api/mcp/documentation-patches';
const stats = '/svc/api/mcp/learning-stats';

let fixture: RunFixture;
let root: HttpClient;
let editor: HttpClient;
let viewer: HttpClient;
let stranger: HttpClient;
let notes: string;

beforeAll(async () => {
  fixture = await startRunFixture();
  root = fixture.root;
  const { projectId, sourceId } = fixture;
  await fixture.shop.query('create table visits (id int primary key, order_id int, minutes int)');
  expect((await root.post(`/svc/api/data-sources/${sourceId}/refresh-metadata`, {})).status).toBe(200);
  editor = await fixture.person('editor', 'Editor');
  viewer = await fixture.person('viewer', 'Viewer');
  stranger = await fixture.person('stranger', 'Editor');
  for (const [userName, role] of [
    ['editor', 'Editor'],
    ['viewer', 'Viewer'],
  ])
    await root.post(`/svc/api/projects/${projectId}/members`, { userName, role });
  await root.put(`/svc/api/projects/${projectId}/access-mode`, { accessMode: 'Restricted' });
  notes = `/svc/api/projects/${projectId}/documentation`;
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.svc.database.query(
    'truncate svc.learning_signals, svc.learned_patterns, svc.documentation_patches; delete from svc.documentation_sections; delete from svc.golden_examples',
  );
});

const join: Pattern = {
  kind: 'JoinPattern',
  identity: 'join',
  table: 'public.orders',
  column: 'id',
  content: { kind: 'JoinPattern', column: 'id', otherTable: 'public.visits', otherColumn: 'order_id' },
  signalCount: 4,
  callerCount: 2,
};
const sentence = 'public.orders.id joins public.visits.order_id.';
const common: Pattern = {
  kind: 'CommonQuery',
  identity: 'common',
  table: 'public.orders',
  column: null,
  content: {
    kind: 'CommonQuery',
    tables: ['public.orders'],
    statement: 'select sum(total) from public.orders where id > ?',
  },
  signalCount: 9,
  callerCount: 3,
};

/** Stores patterns as the job does. Returns the id of the first pattern. */
async function know(...newPatterns: Pattern[]): Promise<number> {
  const database = createDatabase(fixture.svc.database);
  await database.transaction((tx) => savePatterns(tx, fixture.projectId, fixture.sourceId, newPatterns));
  const { rows } = await database.query<{ id: number }>(
    'select id from svc.learned_patterns where identity = $1',
    [newPatterns[0]?.identity],
  );
  return rows[0]?.id ?? 0;
}

const golden = (question: string, sql: string) =>
  fixture.make('/svc/api/eval/golden', {
    projectId: fixture.projectId,
    dataSourceId: fixture.sourceId,
    question,
    sql,
  });
const approve = (id: number, client = editor) =>
  client.put(`${patterns}/${id}/status`, { newStatus: 'Approved' });
const reject = (id: number, client = editor) =>
  client.put(`${patterns}/${id}/status`, { newStatus: 'Rejected' });
const patchOf = async () => (await editor.get(patches)).body.items[0];
const section = async () =>
  (await editor.get(notes)).body.sections.find(({ kind }: { kind: string }) => kind === 'Notes');

describe('200', () => {
  test('lists patterns by use, filters them, and returns whether the caller can decide', async () => {
    await know(join, common);
    const { body } = await viewer.get(patterns);
    expect(body.items).toMatchObject([
      {
        kind: 'CommonQuery',
        signalCount: 9,
        callerCount: 3,
        state: 'Proposed',
        canDecide: false,
        statement: 'select sum(total) from public.orders where id > ?',
      },
      { kind: 'JoinPattern', text: sentence, statement: null, replay: null },
    ]);
    const idsOf = async (query: string) =>
      (await editor.get(`${patterns}?${query}`)).body.items.map(({ kind }: { kind: string }) => kind);
    expect(await idsOf('kind=JoinPattern')).toEqual(['JoinPattern']);
    expect(await idsOf('state=Approved')).toEqual([]);
    expect(await idsOf('table=ORDERS&sort=callerCount')).toEqual(['JoinPattern', 'CommonQuery']);
    expect(await idsOf(`projectId=${fixture.projectId + 1}`)).toEqual([]);
    expect((await editor.get(patterns)).body.items[0].canDecide).toBe(true);
  });

  test('a replay returns which golden examples agree, contradict, and are broken', async () => {
    const id = await know(join);
    await golden('Agrees?', 'select 1 from orders o join visits v on v.order_id = o.id');
    await golden('Contradicts?', 'select 1 from orders o join visits v on v.id = o.id');
    await golden('Neither?', 'select 1 from orders, visits');
    await golden('Elsewhere?', 'select id from orders');
    const replayed = await viewer.post(`${patterns}/${id}/replay`);
    expect(replayed.body).toMatchObject({
      exampleCount: 3,
      checkedCount: 3,
      agreeing: 1,
      contradicting: 1,
      broken: 0,
    });
    await fixture.shop.query('alter table visits rename column order_id to of_order');
    try {
      const { body } = await viewer.post(`${patterns}/${id}/replay`);
      expect(body).toMatchObject({ agreeing: 1, broken: 1 });
      expect(body.examples[0]).toMatchObject({ relation: 'Agrees', check: 'Failed' });
    } finally {
      await fixture.shop.query('alter table visits rename column of_order to order_id');
    }
  });

  test('an approved pattern is sent to clients, stores its replay and is audited; a rejected pattern is never sent', async () => {
    const id = await know(join, common);
    await golden('Agrees?', 'select 1 from orders o join visits v on v.order_id = o.id');
    const context = async () =>
      (await editor.get(`/svc/api/projects/${fixture.projectId}/mcp-context`)).body.context as string;
    expect(await context()).not.toContain(sentence);
    const approved = await approve(id);
    expect(approved.body).toMatchObject({
      state: 'Approved',
      decidedByUserName: 'editor',
      replay: { exampleCount: 1, agreeing: 1 },
    });
    expect(await context()).toContain(sentence);
    const tool = { toolName: 'get_context', projectId: fixture.projectId };
    const called = await editor.post('/svc/api/mcp/tools/run', tool);
    expect(called.body.structuredContent.learned).toEqual([sentence]);
    expect((await reject(id)).body).toMatchObject({ state: 'Rejected', replay: { agreeing: 1 } });
    expect(await context()).not.toContain(sentence);
    const { rows } = await fixture.svc.database.query(
      `select event from svc.audit_events where event like 'learning.%' order by id`,
    );
    expect(rows.map(({ event }) => event)).toEqual([
      'learning.pattern_approved',
      'learning.pattern_rejected',
    ]);
  });

  test('the text of the approved patterns stays within its length limit', async () => {
    const many = Array.from(
      { length: 60 },
      (_, at): Pattern => ({
        ...join,
        identity: `join ${at}`,
        signalCount: 100 - at,
        content: { kind: 'JoinPattern', column: `c${at}`, otherTable: 'public.visits', otherColumn: 'id' },
      }),
    );
    await know(...many);
    await fixture.svc.database.query(`update svc.learned_patterns set state = 'Approved'`);
    const sentences = await approvedPatterns(createDatabase(fixture.svc.database), fixture.projectId, null);
    expect(sentences[0]).toContain('c0');
    expect(sentences.length).toBeGreaterThan(20);
    expect(sentences.join('\n').length).toBeLessThanOrEqual(learnedLengthMax);
  });

  test('a patch is added at the end of the notes, and no text of a user is lost', async () => {
    await root.put(`${notes}/Notes`, { content: 'Written by hand.' });
    await approve(await know(join));
    const patch = await patchOf();
    expect(patch).toMatchObject({
      state: 'Proposed',
      section: 'Notes',
      currentContent: 'Written by hand.',
      currentVersion: 1,

      proposedContent: '- `public.orders.id` joins `public.visits.order_id`.',
      supportingSignalCount: 4,
    });
    const applied = await editor.post(`${patches}/${patch.id}/apply`, { sectionVersion: 1 });
    expect(applied.body).toMatchObject({ state: 'Applied', decidedByUserName: 'editor' });
    expect(await section()).toMatchObject({
      content: `Written by hand.\n${patch.proposedContent}`,
      provenance: 'Person',
      version: 2,
      editedByUserName: 'editor',
    });
  });

  test('the first patch creates the notes, and a rejected patch is not proposed again', async () => {
    const id = await know(join, common);
    await approve(id);
    const patch = await patchOf();
    expect(patch).toMatchObject({ currentContent: null, currentVersion: 0 });
    expect((await editor.post(`${patches}/${patch.id}/apply`, { sectionVersion: 0 })).status).toBe(200);
    expect(await section()).toMatchObject({ content: patch.proposedContent, version: 1 });
    const other = (await editor.get(`${patterns}?kind=CommonQuery`)).body.items[0].id;
    await approve(other);
    const waiting = (await editor.get(`${patches}?state=Proposed`)).body.items[0];
    expect((await editor.post(`${patches}/${waiting.id}/reject`)).body.state).toBe('Rejected');
    await createDatabase(fixture.svc.database).transaction((tx) =>
      proposePatch(tx, { projectId: fixture.projectId, patternId: other, content: 'Again' }),
    );
    expect((await editor.get(`${patches}?state=Proposed`)).body.totalCount).toBe(0);
  });

  test('statistics count signals, decisions and the tables with the most refused statements', async () => {
    await reject(await know(join));
    for (const outcome of ['Succeeded', 'engine', 'engine'])
      await fixture.svc.database.query(
        `insert into svc.learning_signals (project_id, data_source_id, caller_hash, tool, outcome, tables)
         values ($1, $2, 'x', 'query', $3, '{public.visits}')`,
        [fixture.projectId, fixture.sourceId, outcome],
      );
    const { body } = await viewer.get(`${stats}?projectId=${fixture.projectId}`);
    expect(body).toMatchObject({
      totalSignals: 3,
      signals7d: 3,
      signals30d: 3,
      patternsRejected: 1,
      patternsProposed: 0,
      problemTables: [{ table: 'public.visits', signalCount: 3, refusedCount: 2 }],
    });
    expect(body.successRate).toBeCloseTo(1 / 3);
    expect((await stranger.get(stats)).body).toMatchObject({ totalSignals: 0, successRate: null });
  });
});

describe('400', () => {
  test('refuses a state that users cannot set, and a patch without a version', async () => {
    const id = await know(join);
    const odd = await editor.put(`${patterns}/${id}/status`, { newStatus: 'Superseded' });
    const none = await editor.post(`${patches}/1/apply`, {});
    expect([odd.status, none.status]).toEqual([400, 400]);
    expect((await editor.get(`${patterns}?state=Odd`)).status).toBe(400);
  });
});

describe('403', () => {
  test('a Viewer of the project and a key with the scope Read can decide nothing', async () => {
    const id = await know(join);
    await approve(id);
    const patch = await patchOf();
    const key = await addKey(editor, { scopes: ['Read'], projects: [fixture.projectId] });
    for (const client of [viewer, fixture.svc.client(`Bearer ${key.text}`)]) {
      const answers = [
        await approve(id, client),
        await client.post(`${patches}/${patch.id}/apply`, { sectionVersion: 0 }),
        await client.post(`${patches}/${patch.id}/reject`),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    }
    expect((await section())?.content).toBeUndefined();
  });
});

describe('404', () => {
  test('a caller who cannot read the project sees none of its patterns and patches', async () => {
    const id = await know(join);
    await approve(id);
    const patch = await patchOf();
    const answers = [
      await stranger.get(`${patterns}/${id}`),
      await stranger.post(`${patterns}/${id}/replay`),
      await reject(id, stranger),
      await stranger.post(`${patches}/${patch.id}/apply`, { sectionVersion: 0 }),
      await stranger.post(`${patches}/${patch.id}/reject`),
      await stranger.get(`${stats}?projectId=${fixture.projectId}`),
      await editor.get(`${patterns}/2147483647`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404]);
    for (const path of [patterns, patches])
      expect((await stranger.get(path)).body).toMatchObject({ items: [], totalCount: 0 });
  });
});

describe('409', () => {
  test('a patch cannot be decided twice, nor after its pattern was rejected', async () => {
    const id = await know(join);
    await approve(id);
    const patch = await patchOf();
    await reject(id);
    const late = await editor.post(`${patches}/${patch.id}/apply`, { sectionVersion: 0 });
    expect([late.status, late.body.code]).toEqual([409, 'patch-decided']);
    await approve(id);
    expect((await editor.post(`${patches}/${patch.id}/apply`, { sectionVersion: 0 })).status).toBe(200);
    expect((await editor.post(`${patches}/${patch.id}/reject`)).body.code).toBe('patch-decided');
  });
});

describe('412', () => {
  test('a patch is refused if the notes changed after it was read, and does not change them', async () => {
    await approve(await know(join));
    const patch = await patchOf();
    await root.put(`${notes}/Notes`, { content: 'Written meanwhile.' });
    const answer = await editor.post(`${patches}/${patch.id}/apply`, { sectionVersion: 0 });
    expect(answer.status).toBe(412);
    expect(await section()).toMatchObject({ content: 'Written meanwhile.', version: 1 });
    expect((await patchOf()).state).toBe('Proposed');
  });
});
