import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createEmptyDatabase, type TestDatabase } from '@svc/testkit/database/database.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../packages/jobs/src/testing/fixture.ts';
import { buildPages } from '../packages/jobs-dashboard/src/testing/build-pages.ts';
import { installPacked, type PackedInstallation } from '../tools/test/packed.ts';

const packages = path.join(import.meta.dirname, '../packages');
const secret = 'change-me';
let installation: PackedInstallation;
let database: TestDatabase;
const running: ChildProcess[] = [];

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

/**
 * Stores the program of a README in the empty folder, under the README's file name, and starts it with the README's
 * command.
 */
function follow(readme: string): () => string {
  const text = readFileSync(path.join(packages, readme, 'README.md'), 'utf8');
  const [, name = '', code = ''] = /`([\w-]+\.mjs)`:\n\n```js\n([\s\S]*?)```/.exec(text) ?? [];
  expect(text).toMatch(new RegExp(`DATABASE_URL=.* node ${name}\\n`));
  writeFileSync(path.join(installation.folder, name), code);
  const child = spawn(process.execPath, [name], {
    cwd: installation.folder,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      DATABASE_URL: urlOf(database),
      DASHBOARD_SECRET: secret,
    },
  });
  running.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => (said += String(part)));
  return () => said;
}

beforeAll(async () => {
  buildPages();
  installation = await installPacked({ packages: ['@svc/jobs', '@svc/jobs-dashboard'] });
  database = await createEmptyDatabase();
}, 240_000);
afterAll(async () => {
  for (const child of running) if (child.exitCode === null) child.kill('SIGKILL');
  await database?.drop();
  installation?.remove();
});

test('the programs of the READMEs of the job library and its dashboard work from packed packages alone', async () => {
  const jobs = follow('jobs');
  await eventually(() => jobs().includes('Hello, Ada! (attempt 2)'), 'the job to be repeated and done');
  const jobId = /Enqueued (\S+)/.exec(jobs())?.[1];

  const dashboard = follow('jobs-dashboard');
  const address = await eventually(
    () => /^Dashboard on (http\S+)$/m.exec(dashboard())?.[1],
    'the dashboard to listen',
  );
  expect((await fetch(`${address}/api/session`)).status).toBe(401);
  const headers = { authorization: `Bearer ${secret}` };
  expect((await fetch(`${address}/api/session`, { headers })).status).toBe(200);
  const page = await fetch(address, { headers });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
  const shown = await fetch(`${address}/api/jobs/${jobId}`, { headers });
  expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('Completed')]);

  for (const child of running) {
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  }
}, 120_000);
