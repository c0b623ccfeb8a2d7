import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setUp } from '@svc/testkit/people/people.ts';
import { startWebhookSink } from '@svc/testkit/runs/webhook-sink.ts';
import { defaultSettings } from '@svc/testkit/service/service.ts';
import { startReplica } from '../../tools/test/sessions/replica.ts';
import { startRestartableDatabase } from '../../tools/test/sessions/restartable-database.ts';
import { subscribe } from '../../tools/test/sessions/subscribe.ts';

/**
 * `node --conditions=svc-source trials/clock/steps.ts FOLDER [seconds]`: sets the clock of the database forwards and
 * back by an hour under 3 subscriptions that run every second, and waits 90 seconds after each step. FOLDER contains the
 * programs of PostgreSQL 15 or newer. Needs the Debian package `faketime`. Fails when no message arrives for more than
 * 60 seconds, when a slot has two runs, or when a message arrives twice.
 *
 * Failed runs are printed only: libfaketime is not reentrant, and an alarm of PostgreSQL that interrupts it reads the true
 * time. With a clock that is an hour behind, all timeouts of that session then expire (25P03). This also happens with a
 * clock that is behind from the start and never steps: in 26 of 806 runs without a cache.
 */
const [folder = '/usr/lib/postgresql/15/bin', seconds = '90'] = process.argv.slice(2);
const silenceMaxMs = 60_000;
const subscriptions = 3;
const steps = ['+3600', '+0', '-3600', '+0'];

/** Writes programs that start those of the folder with a clock that the returned function sets. */
function fakeClock(): { readonly programs: string; readonly set: (offset: string) => void } {
  const programs = mkdtempSync(path.join(os.tmpdir(), 'svc-clock-'));
  // The server runs as another user.
  chmodSync(programs, 0o755);
  const clock = path.join(programs, 'clock');
  const set = (offset: string): void => writeFileSync(clock, `${offset}s\n`);
  set('+0');
  const variables = {
    LD_PRELOAD: '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_CACHE_DURATION: '1',
    // Timers of a machine do not follow its clock.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const program = (name: string, words: readonly string[]) =>
    writeFileSync(path.join(programs, name), `#!/bin/sh\n${words.join(' ')} ${folder}/${name} "$@"\n`, {
      mode: 0o755,
    });
  program('postgres', ['exec', 'env', ...assignments]);
  program('initdb', ['exec']);
  return { programs, set };
}

const clock = fakeClock();
process.env['SVC_TEST_POSTGRES_BIN'] = clock.programs;
const database = await startRestartableDatabase(mkdtempSync(path.join(os.tmpdir(), 'svc-trial-clock-')));
const { user, password, host, port, database: name } = database.own;
const sink = await startWebhookSink();
const replica = await startReplica({
  ...defaultSettings,
  ...sink.settings,
  'Svc:Database:ConnectionString': `postgres://${user}:${password}@${host}:${port}/${name}`,
  'Svc:Subscriptions:MinimumIntervalSeconds': 1,
  'Svc:Logging:Level': 'error',
});
try {
  const root = await setUp(replica);
  await subscribe(root, { database, sink, subscriptions, cronExpression: '* * * * * *' });
  const silences: Record<string, number> = {};
  let arrivedCount = 0;
  let arrivedAt = performance.now();
  const watch = async (key: string): Promise<void> => {
    const until = performance.now() + Number(seconds) * 1_000;
    while (performance.now() < until) {
      if (sink.received.length > arrivedCount) {
        arrivedCount = sink.received.length;
        arrivedAt = performance.now();
      }
      silences[key] = Math.max(silences[key] ?? 0, Math.round(performance.now() - arrivedAt));
      await delay(50);
    }
  };
  await watch('before');
  for (const [at, step] of steps.entries()) {
    clock.set(step);
    const { rows } = await database.query('select now() as now');
    console.log(`step ${at + 1}, clock ${step} s: ${rows[0].now.toISOString()}`);
    await watch(`${at + 1} (${step})`);
  }
  const { rows } = await database.query(
    `select count(*)::int as runs, (count(*) - count(distinct (subscription_id, due_at)))::int as doubled,
       count(*) filter (where status in ('Failed', 'Timeout'))::int as failed from svc.runs`,
  );
  const { rows: failures } = await database.query(
    `select due_at, created_time, started_at, finished_at, reason, reason_detail from svc.runs where status in ('Failed', 'Timeout') order by due_at`,
  );
  if (failures.length > 0) console.log('failed runs:', JSON.stringify(failures, null, 2));
  const texts = sink.received.map(({ path: to, text }) => `${to} ${text}`);
  const report = { ...rows[0], messages: texts.length, doubledMessages: texts.length - new Set(texts).size };
  console.log(JSON.stringify({ silences, ...report }, null, 2));
  const isSilent = Object.values(silences).some((ms) => ms > silenceMaxMs);
  process.exitCode = isSilent || report.doubled + report.doubledMessages > 0 ? 1 : 0;
} finally {
  await replica.stop();
  await sink.close();
  await database.stop();
}
