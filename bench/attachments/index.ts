import path from 'node:path';
import { createTable, rowCount, statement } from '../csv/statement.ts';
import type { Bench } from '../run/bench.ts';
import { type BenchDatabase, startBenchDatabase } from '../run/database.ts';
import { setupToken } from '../run/people.ts';
import { printCase } from '../run/report.ts';
import { inTurns } from '../run/rounds.ts';
import { type Subject, startSubject } from '../run/subject.ts';
import { type Made, watchShop } from '../run/watching.ts';

const mebibyte = 1_048_576;
/** Maximum duration of a run of this size on a busy machine. */
const runSecondsMax = 300;
const pollMs = 20;

/** Attachment settings of each contender's subscription. */
const contenders = {
  'no file': {},
  CSV: { includeAttachment: true, attachmentFormat: 'Csv' },
  XLSX: { includeAttachment: true, attachmentFormat: 'Xlsx' },
};

/** Measures memory and event loop delays of a run that writes a million rows into its file, encrypted in parts. */
export const bench: Bench = {
  purpose:
    'a run that writes a million rows into its file (under 150 MB above idle, no event-loop block over 50 ms) against the same run without one',
  run: async ({ rounds }) => {
    const started: Started[] = [];
    try {
      // A separate database and process for each contender, so that no memory of another contender counts.
      for (const [name, file] of Object.entries(contenders)) started.push(await start(name, file));
      const rate = { number: 'rowsPerSecond', isMoreBetter: true };
      return printCase('one run', await inTurns(started, rounds), 'no file', columns, rate, bounds);
    } finally {
      for (const { stop } of started) await stop();
    }
  },
};

const columns = [
  { title: 'rows/s', number: 'rowsPerSecond', digits: 0 },
  { title: 's CPU', number: 'cpuSeconds', digits: 2 },
  { title: 'MB above idle', number: 'aboveIdleMb', digits: 0 },
  { title: 'ms longest event-loop block', number: 'loopHoldMaxMs', digits: 0 },
  { title: 'ms of CPU', number: 'loopHoldCpuMaxMs', digits: 0 },
];

/** Bounds in addition to the time. */
const bounds = [
  { number: 'aboveIdleMb', unit: 'MB above idle', valueMax: 150 },
  { number: 'loopHoldMaxMs', unit: 'ms longest event-loop block', valueMax: 50 },
];

type Started = {
  readonly name: string;
  readonly measure: () => Promise<Record<string, number>>;
  readonly stop: () => Promise<void>;
};

async function start(name: string, file: Readonly<Record<string, unknown>>): Promise<Started> {
  const database = await startBenchDatabase();
  const service = await startSubject(name, path.join(import.meta.dirname, '../run/service.ts'), {
    connection: database.connection,
    settings: {
      'Svc:UserManagement:SetupToken': setupToken,
      'Svc:EncryptionKey': 'k'.repeat(32),
      'Svc:Query:TimeoutSeconds': runSecondsMax,
    },
  });
  const { post, queryId } = await watchShop(service, database, { createTable, sql: statement });
  const recipient = await post<Made>('/svc/api/recipients', {
    notificationType: 'Webhook',
    name: 'Hook',
    destination: 'https://hooks.example.com/never-called',
  });
  // No message is sent. The file is written and then dropped, because the run ends below its threshold.
  const { id } = await post<Made>('/svc/api/subscriptions', {
    queryId,
    cronExpression: '0 0 1 1 *',
    recipientIds: [recipient.id],
    notificationTrigger: 'Always',
    minimumRowCount: rowCount + 1,
    timeoutSeconds: runSecondsMax,
    ...file,
  });
  const { rssBytes: idleBytes } = await service.usage();
  const startRun = () => post<Made>(`/svc/api/subscriptions/${id}/test-run`);
  return {
    name,
    measure: () => measured(service, database, idleBytes, async () => (await startRun()).id),
    stop: async () => {
      await service.stop();
      await database.stop();
    },
  };
}

async function measured(
  service: Subject,
  database: BenchDatabase,
  idleBytes: number,
  startRun: () => Promise<number>,
): Promise<Record<string, number>> {
  await service.usage();
  const startedAtMs = performance.now();
  const seconds = await ended(database, await startRun(), startedAtMs);
  const { cpuMicros, rssPeakBytes, loopHoldMaxMs, loopHoldCpuMaxMs } = await service.usage();
  return {
    rowsPerSecond: rowCount / seconds,
    cpuSeconds: cpuMicros / 1e6,
    aboveIdleMb: (rssPeakBytes - idleBytes) / mebibyte,
    loopHoldMaxMs,
    loopHoldCpuMaxMs,
  };
}

/** Waits until a run has ended with the expected status, and returns the seconds since its start. */
async function ended(database: BenchDatabase, runId: number, startedAtMs: number): Promise<number> {
  for (;;) {
    const [run] = await database.sql<{ status: string; reason: string | null }>(
      'select status, reason from svc.runs where id = $1',
      [runId],
    );
    const seconds = (performance.now() - startedAtMs) / 1_000;
    if (run?.status === 'BelowThreshold') return seconds;
    if (run?.status !== 'Created' || seconds > runSecondsMax)
      throw new Error(`The run ended ${run?.status}: ${run?.reason}.`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
