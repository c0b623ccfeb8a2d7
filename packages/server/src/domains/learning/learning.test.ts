import { createJobs } from '@svc/jobs';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { addKey } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import { dropOldSignals } from './signal-store.ts';

const patterns = '/svc/api/mcp/learned-patterns';
const patches = '/svc/api/mcp/documentation-patches';

let fixture: RunFixture;
let root: HttpClient;
let editor: HttpClient;
let keys: readonly string[];

beforeAll(async () => {
  fixture = await startRunFixture();
  root = fixture.root;
  await fixture.shop.query(
    `create table buyers (id int primary key, buyer_name text);
     create table visits (id int primary key, buyer int, minutes int);
     comment on table buyers is 'People who buy'`,
  );
  const read = await root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`, {});
  expect(read.status, read.text).toBe(200);
  editor = await fixture.person('editor', 'Editor');
  const options = { scopes: ['Execute'], projects: [fixture.projectId] };
  keys = [(await addKey(root, options)).text, (await addKey(editor, options)).text];
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.svc.database.query(
    'truncate svc.learning_signals, svc.learned_patterns, svc.documentation_patches; delete from svc.documentation_sections',
  );
});

const sql = async (text: string, values: unknown[] = []) =>
  (await fixture.svc.database.query(text, values)).rows;
const signals = () => sql('select * from svc.learning_signals order by id');

/** Sends a statement as an AI client of the first or second user. */
async function call(tool: 'query' | 'dry_run', statement: string, who = 0): Promise<void> {
  const response = await fetch(`${fixture.svc.origin}/svc/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${keys[who]}` },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool, arguments: { sql: statement } },
    }),
  });
  expect(response.status).toBe(200);
  await response.text();
}

const noted = (count: number) =>
  until('signals', async () => {
    const rows = await signals();
    return rows.length >= count ? rows : undefined;
  });

/** Runs the recurring job and waits for its end. */
async function learn(): Promise<void> {
  const jobs = createJobs({ pool: fixture.svc.database });
  const started = await jobs.schedules.trigger(jobs.executor, 'maintenance:learn-from-use');
  if (!started) throw new Error('The schedule is not there.');
  const state = await until('the end of the job', async () => {
    const [job] = await sql('select state, finished_at, error as said from svc_jobs.job where id = $1', [
      started.jobId,
    ]);
    return job.finished_at === null && job.state !== 'AwaitingRetry' ? undefined : job;
  });
  expect(state.state, state.said).toBe('Completed');
}

const all = async (query = '') => (await root.get(`${patterns}?pageSize=100${query}`)).body.items;
const kinds = async () => (await all()).map(({ kind }: { kind: string }) => kind).sort();

/** Sends two refused statements with their corrections, a join, a common query and uses of an undocumented table. */
async function use(): Promise<void> {
  for (const who of [0, 1]) {
    await call('query', 'select buyer_nme from buyers', who);
    await call('query', 'select buyer_name from buyers', who);
  }
  for (const who of [0, 1, 0]) {
    await call('query', `select minutes from visits where id = ${who + 7}`, who);
    await call('query', 'select 1 from visits v join buyers b on b.id = v.buyer', who);
  }
  for (const column of ['a', 'b', 'c'])
    await call('dry_run', `select ${column}_column_that_is_not from visits`);
  await noted(13);
}

describe('a learning signal', () => {
  test('contains the schema names of a statement, none of its values and no user name', async () => {
    await call(
      'query',
      `select o.total as "Bob's secret" from orders o where o.email = 'planted@example.org'`,
    );
    const [signal] = await noted(1);
    expect(signal).toMatchObject({
      project_id: fixture.projectId,
      data_source_id: fixture.sourceId,
      tool: 'query',
      outcome: 'Succeeded',
      tables: ['public.orders'],
      unknown_names: [],
      shape: 'select public.orders.total as n1 from public.orders n2 where public.orders.email = ?',
    });
    const text = JSON.stringify(signal);
    for (const word of ['planted', 'secret', 'root', 'editor']) expect(text).not.toContain(word);
    expect(signal.caller_hash).toMatch(/^[0-9a-f]{12}$/);
  });

  test('contains the unknown names of a refused statement, also after a dry run', async () => {
    await call('query', 'select no_such from orders');
    await call('dry_run', 'select no_such from orders');
    const rows = await noted(2);
    expect(rows.map(({ outcome }) => outcome)).not.toContain('Succeeded');
    expect(rows.map((row) => row.unknown_names)).toEqual([['no_such'], ['no_such']]);
  });

  test('contains only table names if the project stores no statements, and is not written if the project does not learn', async () => {
    const settings = `/svc/api/mcp/projects/${fixture.projectId}/settings`;
    expect((await root.put(settings, { keepsStatements: false })).status).toBe(200);
    await call('query', 'select total, no_such from orders');
    const [quiet] = await noted(1);
    expect(quiet).toMatchObject({ tables: ['public.orders'], unknown_names: [], shape: null });
    expect((await root.put(settings, { keepsStatements: null, learns: false })).status).toBe(200);
    await call('query', 'select total from orders');
    expect((await root.put(settings, { learns: null })).status).toBe(200);
    await call('query', 'select id from orders');
    // The later statement was stored after the one without stored text.
    const rows = await noted(2);
    expect(rows.map(({ shape }) => shape)).toEqual([null, 'select id from public.orders']);
  });

  test('is deleted after 90 days', async () => {
    for (const days of [89, 91])
      await sql(
        `insert into svc.learning_signals (project_id, data_source_id, caller_hash, tool, outcome, created_time)
         values ($1, $2, 'x', 'query', 'Succeeded', now() - $3 * interval '1 day')`,
        [fixture.projectId, fixture.sourceId, days],
      );
    await dropOldSignals(createDatabase(fixture.svc.database));
    expect(await signals()).toHaveLength(1);
  });
});

describe('the learning job', () => {
  test('creates patterns of each kind from names only, and creates none twice', async () => {
    await use();
    await learn();
    const learnedPatterns = await all();
    const textOf = (kind: string) => learnedPatterns.find((one: { kind: string }) => one.kind === kind)?.text;
    expect(textOf('SchemaCorrection')).toBe('public.buyers has no column buyer_nme: buyer_name is meant.');
    expect(textOf('JoinPattern')).toBe('public.buyers.id joins public.visits.buyer.');
    expect(textOf('DocumentationGap')).toContain('public.visits');
    const common = learnedPatterns.filter(({ kind }: { kind: string }) => kind === 'CommonQuery');
    expect(common.map(({ statement }: { statement: string }) => statement)).toContain(
      'select minutes from public.visits where id = ?',
    );
    expect(learnedPatterns.every(({ state }: { state: string }) => state === 'Proposed')).toBe(true);
    await learn();
    expect(await all()).toHaveLength(learnedPatterns.length);
    expect((await root.get(patches)).body.totalCount).toBe(1);
  });

  test('creates no common query from one caller alone, and no join that a relationship already declares', async () => {
    for (let at = 0; at < 4; at += 1) await call('query', `select total from orders where id = ${at}`);
    await noted(4);
    await learn();
    expect(await kinds()).toEqual([]);
    await fixture.make(`/svc/api/data-sources/${fixture.sourceId}/relationships`, {
      source: { schema: 'public', table: 'visits', columns: ['buyer'] },
      target: { schema: 'public', table: 'buyers', columns: ['id'] },
      cardinality: 'ManyToOne',
    });
    for (let at = 0; at < 3; at += 1)
      await call('query', 'select 1 from visits v, buyers b where v.buyer = b.id');
    await noted(7);
    await learn();
    expect(await kinds()).toEqual([]);
    await fixture.svc.database.query('delete from svc.relationships');
  });

  test('creates no correction from four signals of one caller, but from the fifth', async () => {
    for (let time = 0; time < 4; time += 1) {
      await call('query', 'select buyer_nme from buyers');
      await call('query', 'select buyer_name from buyers');
    }
    await noted(8);
    await learn();
    expect(await kinds()).toEqual([]);
    await call('query', 'select buyer_nme from buyers');
    await call('query', 'select buyer_name from buyers');
    await noted(10);
    await learn();
    expect(await kinds()).toContain('SchemaCorrection');
  });

  test('learns nothing from refused writes of several callers', async () => {
    for (const who of [0, 1, 0, 1, 0, 1]) {
      await call('query', 'delete from visit', who);
      await call('query', 'select id from visits', who);
    }
    await noted(12);
    await learn();
    expect(await kinds()).not.toContain('SchemaCorrection');
  });

  test('does not count a statement more than ten minutes later as a correction', async () => {
    await call('query', 'select buyer_nme from buyers');
    await noted(1);
    await sql(`update svc.learning_signals set created_time = now() - interval '11 minutes'`);
    await call('query', 'select buyer_name from buyers');
    await noted(2);
    await learn();
    expect(await kinds()).toEqual([]);
  });

  test('learns a term from answers with positive feedback, and nothing from answers with negative feedback', async () => {
    const say = (verdict: string, statement: string) =>
      sql(
        `insert into svc.answer_feedback (project_id, data_source_id, question, sql, verdict)
         values ($1, $2, 'What is the secret question?', $3, $4)`,
        [fixture.projectId, fixture.sourceId, statement, verdict],
      );
    for (let time = 0; time < 5; time += 1) {
      await say('Right', 'select sum(total) as turnover from orders');
      await say('Wrong', 'select max(total) as peak from orders');
    }
    for (let time = 0; time < 4; time += 1) await say('Right', 'select count(id) as volume from orders');
    await learn();
    const learnedPatterns = await all();
    expect(learnedPatterns.map(({ text }: { text: string }) => text)).toEqual([
      'turnover is sum(total) of public.orders.',
    ]);
    expect(JSON.stringify(learnedPatterns)).not.toContain('secret');
    await sql('delete from svc.answer_feedback');
  });

  test('supersedes a pattern whose column no longer exists, and proposes it again when the column returns', async () => {
    await use();
    await learn();
    await fixture.shop.query('alter table buyers rename column buyer_name to full_name');
    const refresh = async () => {
      // Metadata of a source is read at most once in 30 seconds.
      await sql('update svc.data_sources set metadata_refresh_asked_at = null');
      const again = await root.post(`/svc/api/data-sources/${fixture.sourceId}/refresh-metadata`, {});
      expect(again.status).toBe(200);
    };
    await refresh();
    await learn();
    const gone = await all('&kind=SchemaCorrection');
    expect(gone.map(({ state }: { state: string }) => state)).toEqual(['Superseded']);
    const refused = await root.put(`${patterns}/${gone[0].id}/status`, { newStatus: 'Approved' });
    expect([refused.status, refused.body.code]).toEqual([409, 'pattern-superseded']);
    await fixture.shop.query('alter table buyers rename column full_name to buyer_name');
    await refresh();
    await learn();
    expect((await all('&kind=SchemaCorrection'))[0].state).toBe('Proposed');
  });
});
