import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { setupToken } from '@svc/testkit/service/service.ts';
import { startReplica } from '../../tools/test/sessions/replica.ts';

/**
 * `node --conditions=svc-source trials/secrets/kill.ts [kills] [recipients]`: kills `svc secrets rotate --new-key` at
 * random times on a data directory with 2,000 recipients, 30 times by default. The commands in between run to their
 * end. Fails when the last command does not complete or when a destination differs afterwards.
 */
const [kills = '30', recipients = '2000'] = process.argv.slice(2);
const cli = path.resolve(import.meta.dirname, '../../apps/host/src/cli.ts');
const settings = {
  'Svc:DataDirectory': mkdtempSync(path.join(os.tmpdir(), 'svc-trial-secrets-')),
  'Svc:Host:Port': '0',
  'Svc:UserManagement:SetupToken': setupToken,
  'Svc:Notifications:AllowedPrivateNetworks:Webhook__0': '127.0.0.0/8',
  'Svc:Logging:Level': 'error',
};

type Ending = { readonly code: number | null; readonly output: string; readonly ms: number };

/** Runs a command of the service, and kills it after a time if one is given. */
async function command(words: readonly string[], killAfterMs?: number): Promise<Ending> {
  const environment = Object.entries(settings).map(([key, value]) => [key.replaceAll(':', '__'), value]);
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--conditions=svc-source', cli, ...words], {
    env: { PATH: process.env['PATH'], ...Object.fromEntries(environment) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const closed = once(child, 'close');
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  await closed;
  clearTimeout(timer);
  return { code: child.exitCode, output, ms: performance.now() - startedAt };
}

/** Returns the masked destination of each recipient, with the marks of values that cannot be read. */
async function destinations(root: HttpClient): Promise<string[]> {
  const all: string[] = [];
  for (let page = 0; ; page += 1) {
    const { body } = await root.get(`/svc/api/recipients?page=${page}&pageSize=100`);
    for (const { id, destination, needsDestination, isEncrypted } of body.items)
      all.push(JSON.stringify([id, destination, needsDestination, isEncrypted]));
    if (body.items.length === 0 || all.length >= body.totalCount) return all.sort();
  }
}

const first = await startReplica(settings);
const root = await setUp(first);
for (let at = 0; at < Number(recipients); at += 1) {
  const recipient = {
    notificationType: 'Webhook',
    name: `Hook ${at}`,
    destination: `https://127.0.0.1/${at}`,
  };
  const { status, text } = await root.post('/svc/api/recipients', recipient);
  if (status !== 201) throw new Error(`A recipient was answered with ${status} ${text}`);
}
const before = await destinations(root);
await first.stop();

const complete = await command(['secrets', 'rotate', '--new-key']);
console.log(`uninterrupted: exit ${complete.code} after ${Math.round(complete.ms)} ms`);
const endings: Record<string, number> = {};
for (let at = 0; at < Number(kills); at += 1) {
  // The first part of the time starts the database. Kills are more frequent behind it.
  const killAfterMs = complete.ms * (Math.random() < 0.2 ? Math.random() : 0.5 + Math.random() / 2);
  const words = Math.random() < 0.5 ? ['secrets', 'rotate', '--new-key'] : ['secrets', 'rotate'];
  const { code, output } = await command(words, killAfterMs);
  const ending =
    code === null ? `killed after ${/\d+ of \d+/.test(output) ? 'some' : 'no'} values` : `exit ${code}`;
  endings[ending] = (endings[ending] ?? 0) + 1;
  if (code !== null && code !== 0) console.log(ending, output.slice(-1_000));
  // A database whose parent was killed needs a moment to end.
  await delay(500);
}
const last = await command(['secrets', 'rotate']);
const second = await startReplica(settings);
const after = await destinations(await signIn(second, superAdmin));
await second.stop();
const changed = after.filter((row) => !before.includes(row));
console.log(
  JSON.stringify(
    { endings, last: last.code, recipients: after.length, changed: changed.slice(0, 10) },
    null,
    2,
  ),
);
if (last.code !== 0) console.log(last.output.slice(-2_000));
const isUnequal = before.length !== after.length || before.length < Number(recipients) || changed.length > 0;
process.exitCode = last.code !== 0 || isUnequal ? 1 : 0;
