import { readFileSync } from 'node:fs';
import http from 'node:http';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addEndpointObservability,
  batchMember,
  batchMembers,
  createEndpoints,
  createJobs,
  defineJob,
  enqueueingEndpoint,
  type Jobs,
  migrateJobs,
  parseSchedule,
} from './index.ts';
import { createFixture, eventually, type Fixture, recordingLogger } from './testing/fixture.ts';

let fixture: Fixture;
let started: Jobs | undefined;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(async () => {
  await started?.stop();
  await fixture.close();
});

function parseInvoice(value: unknown): { invoiceId: number } {
  if (typeof value !== 'object' || value === null || !('invoiceId' in value)) throw new Error('No invoice.');
  return { invoiceId: Number(value.invoiceId) };
}

const sent: number[] = [];
const send = async (invoiceId: number, _signal: AbortSignal) => void sent.push(invoiceId);
const report = defineJob<null>({ name: 'report', parse: () => null });
const invoice = { invoiceId: 1 };
const invoices = [{ payload: { invoiceId: 2 } }, { payload: { invoiceId: 3 } }];

const sendInvoice = defineJob<{ invoiceId: number }>({
  name: 'send-invoice',
  parse: parseInvoice,
  retry: { attemptsMax: 4, delaysMs: [15_000, 60_000, 300_000] },
  timeoutMs: 60_000,
});

async function startJobs(pool: pg.Pool): Promise<Jobs> {
  const client = await pool.connect();
  await migrateJobs(client);
  client.release();
  const jobs = createJobs({ pool });
  jobs.handle(sendInvoice, async ({ invoiceId }, run) => {
    await send(invoiceId, run.signal);
  });
  jobs.handle(report, () => undefined);
  await jobs.start();
  return jobs;
}

async function enqueueInTransaction(pool: pg.Pool, jobs: Jobs): Promise<string> {
  const transaction = await pool.connect();
  await transaction.query('begin');
  await transaction.query('insert into invoice values ($1)', [invoice.invoiceId]);
  const { jobId } = await jobs.enqueue(transaction, sendInvoice, invoice);
  await transaction.query('commit');
  transaction.release();
  return jobId;
}

async function serveEndpoint(pool: pg.Pool, jobs: Jobs) {
  const logger = recordingLogger();
  const observer = addEndpointObservability({ pool, logger }, (options) => {
    options.groupSelector = (request) => String(request.headers['x-team'] ?? '') || null;
    options.captureRequestBodies = 'OnFailure';
  });
  const endpoints = createEndpoints({ jobs, observer, logger });
  endpoints.map(
    [enqueueingEndpoint({ method: 'POST', route: '/invoices', operation: 'sendInvoice', job: sendInvoice })],
    { prefix: '/api' },
  );
  const server = http.createServer((request, response) => endpoints.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const accepted = await fetch(`http://127.0.0.1:${port}/api/invoices`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-team': 'red' },
    body: '{"invoiceId":4}',
  });
  expect(accepted.status).toBe(202);
  server.close();
  server.closeAllConnections();
  await observer.stop();
  const [endpoint] = await jobs.endpoints.list();
  expect(endpoint).toMatchObject({ route: 'POST /api/invoices', totalCalls: 1 });
}

it('the guide produces the described results', async () => {
  const { pool } = fixture;
  await pool.query('create table invoice (id int)');
  const jobs = await startJobs(pool);
  started = jobs;
  const jobId = await enqueueInTransaction(pool, jobs);

  await jobs.schedules.put(jobs.executor, {
    key: 'nightly-report',
    cron: '30 2 * * 1-5',
    timeZone: 'Europe/Berlin',
    job: report,
    payload: null,
  });
  const words = parseSchedule('30 2 * * 1-5', 'Europe/Berlin').describe();
  expect(words).toBe('Every weekday at 02:30');

  const batch = await jobs.createBatch(jobs.executor, {
    name: 'month end',
    members: [batchMembers(sendInvoice, invoices)],
    completion: { member: batchMember(report, null), when: 'Ended' },
  });
  const follower = await jobs.enqueue(jobs.executor, report, null, { after: { jobId: batch.batchId } });

  await serveEndpoint(pool, jobs);

  await eventually(async () => (await jobs.get(jobId))?.state === 'Completed');
  await eventually(async () => (await jobs.get(follower.jobId))?.state === 'Completed');
  await eventually(async () => (await jobs.get(batch.completionJobId ?? ''))?.state === 'Completed');
  await eventually(() => sent.length === 4);
  expect(sent.toSorted()).toEqual([1, 2, 3, 4]);
});

it('the code of the guide is equal to the code of this test', () => {
  const guide = readFileSync(new URL('../../../docs/guides/jobs.md', import.meta.url), 'utf8');
  const here = readFileSync(import.meta.filename, 'utf8').split('\n');
  const testedLines = new Set(here.map((line) => line.trim()));
  const blocks = [...guide.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1] ?? '');
  expect(blocks.length).toBeGreaterThan(3);
  const unknown = blocks
    .flatMap((block) => block.split('\n'))
    .filter((line) => !testedLines.has(line.trim()));
  expect(unknown).toEqual([]);
});
