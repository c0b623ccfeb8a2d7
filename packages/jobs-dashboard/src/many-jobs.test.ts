import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDb } from './db.ts';
import { findJobs } from './sql/find-jobs.ts';
import { createFixture, type Fixture, type Served, serveDashboard } from './testing/served.ts';

const waiting = 12_000;
const retainedCount = 42_000;
let fixture: Fixture;
let served: Served;

/** Returns SQL for an id as created at a time, in ms since 1970. */
const idAt = (ms: string) =>
  `(lpad(to_hex((${ms})::bigint), 12, '0') || '7' || lpad(to_hex((n % 4096)::int), 3, '0') || '8' || substr(md5(n::text), 1, 15))::uuid`;

beforeAll(async () => {
  fixture = await createFixture();
  served = await serveDashboard(fixture);
  const { pool } = fixture;
  // Statistics are those of the analyze below. An automatic analyze while a test changes 40,000 rows may count them twice.
  await pool.query('alter table svc_jobs.job set (autovacuum_enabled = false)');
  const insert = (count: number, columns: string, values: string, ageMs: number) =>
    pool.query(
      `insert into svc_jobs.job (id, trace_id, created_at, due_at, name, queue, payload, ${columns})
       select i, i, to_timestamp(ms / 1000), to_timestamp(ms / 1000), 'job-' || n % 7, 'queue-' || n % 5,
         jsonb_build_object('n', n, 'note', repeat('x', 300)), ${values}
       from generate_series(1, ${count}) n,
         lateral (select extract(epoch from now()) * 1000 - ${ageMs} + n as ms) a, lateral (select ${idAt('ms')} as i) b`,
    );
  await insert(
    retainedCount,
    'state, started_at, finished_at, expire_at',
    `case when n % 100 = 0 then 'Failed' else 'Completed' end::svc_jobs.job_state, to_timestamp(ms / 1000),
     to_timestamp(ms / 1000), case when n % 100 = 0 then null else to_timestamp(ms / 1000 + 86400) end`,
    600_000,
  );
  await insert(waiting, 'state, priority', `'Enqueued', (n % 3)::smallint`, 300_000);
  await pool.query('analyze svc_jobs.job');
});
afterAll(async () => {
  await served.close();
  await fixture.close();
});

type Page = { readonly items: { readonly id: string; readonly name: string }[]; nextCursor: string | null };

/** Reads a list page by page to its end, or until `most` ids were read. */
async function readAll(
  query: string,
  most = Number.POSITIVE_INFINITY,
): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let cursor = '';
  let pages = 0;
  do {
    const { body, status, text } = await served.get(
      `/jobs/api/jobs?limit=200&${query}${cursor && `&cursor=${cursor}`}`,
    );
    expect(status, text).toBe(200);
    const page = body as Page;
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? '';
    pages += 1;
  } while (cursor !== '' && ids.length < most);
  return { ids, pages };
}

describe('a dashboard with many jobs', () => {
  it('pages through all waiting jobs in the order of their claims, each once', async () => {
    const { ids } = await readAll('state=Enqueued&queue=queue-2');
    const { rows } = await fixture.pool.query(
      `select id from svc_jobs.job where state = 'Enqueued' and queue = 'queue-2' order by priority desc, due_at, id`,
    );
    expect(ids).toEqual(rows.map(({ id }) => id));
  });

  it('pages through completed jobs, each once and with the newest on the first pages, even with equal end times', async () => {
    await fixture.pool.query(
      `update svc_jobs.job set expire_at = date_trunc('second', expire_at) where state = 'Completed'`,
    );
    const { ids } = await readAll('state=Completed', 3_000);
    expect(new Set(ids).size).toBe(ids.length);
    const { rows } = await fixture.pool.query(
      `select id from svc_jobs.job where state = 'Completed' order by expire_at desc limit 1`,
    );
    const newest = rows[0]?.id;
    expect(ids.slice(0, 1_000)).toContain(newest);
  });

  it('checks a limited part per response, reports how far it has searched, and reaches the end', async () => {
    const first = await served.get('/jobs/api/jobs?argument=n&value=17');
    expect(first.body).toMatchObject({ items: [], isCutShort: true, lookedBackTo: expect.any(String) });
    // The waiting job and the completed job have the same number in their payload.
    const { ids, pages } = await readAll('argument=n&value=17');
    expect(ids).toHaveLength(2);
    expect(pages).toBeGreaterThan(3);
    const { ids: waitingIds } = await readAll('argument=n&value=17&state=Enqueued');
    expect(waitingIds).toEqual([ids[0]]);
    const none = await readAll('name=nothing&state=Completed');
    expect(none.ids).toEqual([]);
  });

  it('counts exactly up to a limit, and marks estimates above it', async () => {
    const { body } = await served.get('/jobs/api/jobs/counts');
    expect(body.Enqueued).toEqual({ count: waiting, isEstimate: false });
    expect(body.Failed).toEqual({ count: retainedCount / 100, isEstimate: false });
    expect(body.Completed.isEstimate).toBe(true);
    expect(Math.abs(body.Completed.count - retainedCount * 0.99)).toBeLessThan(retainedCount * 0.1);
    const overview = await served.get('/jobs/api/overview');
    const sum = overview.body.queues.reduce(
      (total: number, queue: { waiting: number }) => total + queue.waiting,
      0,
    );
    expect(sum).toBe(waiting);
  });

  it.each([
    ['all', {}],
    ['Enqueued', { state: 'Enqueued' }],
    ['Scheduled', { state: 'Scheduled' }],
    ['Processing', { state: 'Processing' }],
    ['Completed', { state: 'Completed' }],
    ['Failed', { state: 'Failed' }],
    ['one queue', { state: 'Enqueued', queue: 'queue-1' }],
  ] as const)('reads the first page of %s without reading the table or sorting', async (_name, filter) => {
    const db = openDb({ pool: fixture.pool }, 'svc_jobs', () => undefined);
    const plans: string[] = [];
    const explained: typeof db = {
      ...db,
      walk: async (text, values) => {
        const rows = await db.walk<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return db.walk(text, values);
      },
    };
    await findJobs(explained, filter, { limit: 50 });
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) expect(plan).not.toMatch(/Seq Scan|Sort|Bitmap Heap/);
  });

  it('applies an action to a limited number of jobs at a time and reports that there are more', async () => {
    const filter = { state: 'Enqueued' };
    const counted = await served.post('/jobs/api/jobs/bulk/count', { action: 'cancel', filter });
    expect(counted.body).toEqual({ count: 5_000, isMore: true });
    const done = await served.post('/jobs/api/jobs/bulk/run', {
      action: 'cancel',
      filter,
      confirmedCount: 5_000,
    });
    expect(done.body).toMatchObject({ changed: 5_000, isMore: true });
    const rest = await served.get('/jobs/api/jobs/counts');
    expect(rest.body.Enqueued.count).toBe(waiting - 5_000);
  });
});
