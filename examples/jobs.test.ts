import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../packages/jobs/src/testing/fixture.ts';
import { installPacked, type PackedInstallation } from '../tools/test/packed.ts';

let installation: PackedInstallation;
let database: TestDatabase;
let host: ChildProcess;
let origin: string;

/** Returns the connection as a URL, for a socket's folder as well as for a host. */
function urlOf({ connection }: TestDatabase): string {
  const url = new URL('postgres://localhost');
  url.username = encodeURIComponent(connection.user);
  url.password = encodeURIComponent(connection.password);
  url.pathname = `/${connection.database}`;
  url.searchParams.set('host', connection.host);
  url.searchParams.set('port', String(connection.port));
  return url.href;
}

beforeAll(async () => {
  installation = await installPacked({
    packages: ['@svc/jobs'],
    example: path.join(import.meta.dirname, 'jobs'),
  });
  database = await createEmptyDatabase();
  host = spawn(process.execPath, ['main.js'], {
    cwd: installation.folder,
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0', DATABASE_URL: urlOf(database) },
  });
  let said = '';
  host.stdout?.on('data', (part) => {
    said += part;
  });
  host.stderr?.on('data', (part) => {
    said += part;
  });
  origin = await eventually(() => {
    if (host.exitCode !== null) throw new Error(`The example ended:\n${said}`);
    return /^Listening on (http\S+)$/m.exec(said)?.[1];
  }, 'the example to listen');
}, 240_000);
afterAll(async () => {
  if (host?.exitCode === null) host.kill('SIGKILL');
  await database?.drop();
  installation?.remove();
});

test('the example of the job library works from its packed package', async () => {
  const send = (body: unknown) =>
    fetch(`${origin}/api/invoices`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-customer': 'acme' },
      body: JSON.stringify(body),
    });
  expect((await send({ invoiceId: 'seven' })).status).toBe(400);
  const accepted = await send({ invoiceId: 7, customer: 'acme' });
  expect(accepted.status).toBe(202);
  const { statusUrl, jobId } = (await accepted.json()) as { statusUrl: string; jobId: string };
  const status = await eventually(async () => {
    const answer = (await (await fetch(origin + statusUrl)).json()) as { state: string; attempt: number };
    return answer.state === 'Completed' && answer;
  }, 'the invoice to be sent');
  // The first attempt failed.
  expect(status.attempt).toBe(2);
  expect((await fetch(`${origin}/api/invoices/waiting`)).status).toBe(200);

  const gone = once(host, 'exit');
  host.kill('SIGTERM');
  expect(await gone).toEqual([0, null]);
  const client = new pg.Client(database.connection);
  await client.connect();
  const { rows: calls } = await client.query(
    'select endpoint, success::int from svc_jobs.endpoint_statistic where endpoint like $1 order by 1',
    ['%/invoices%'],
  );
  const { rows: traced } = await client.query(
    `select s.operation from svc_jobs.endpoint_call_log c join svc_jobs.endpoint_source s on s.id = c.source_id
     join svc_jobs.job j on j.trace_id = coalesce(c.trace_id, c.id) where j.id = $1`,
    [jobId],
  );
  await client.end();
  expect(calls).toEqual([
    { endpoint: 'GET /api/invoices/waiting', success: 1 },
    { endpoint: 'POST /api/invoices', success: 2 },
  ]);
  expect(traced).toEqual([{ operation: 'sendInvoice' }]);
});
