import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { withRunFixture } from './own-fixture.ts';

/**
 * `node --conditions=svc-source trials/runs/full-disk.ts FOLDER`: fills the disk of a service's built-in database while
 * a subscription runs every second. FOLDER is on a small separate file system
 * (`mount -t tmpfs -o size=400m tmpfs FOLDER`).
 *
 * The trial passes under three conditions. The service refuses writes with 503 while the disk is full. The first write
 * after space is freed succeeds. Each slot has one run, or one record that it was skipped or missed. The trial prints
 * the number of deliveries and of different deliveries.
 */
const folder = process.argv[2];
if (folder === undefined || !existsSync(folder)) throw new Error('Name a folder on a small file system.');
const ballast = path.join(folder, 'ballast');
rmSync(ballast, { force: true });
const fullForMs = 30_000;

const fill = (): void => {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail > 0) writeFileSync(ballast, Buffer.alloc(bavail * bsize), { flag: 'a' });
};

/** Writes while the disk is full, and returns the statuses of the responses with their number. */
async function writeOnFullDisk(fixture: RunFixture) {
  const answers = new Map<number, number>();
  const until = Date.now() + fullForMs;
  let name = 0;
  let wasReady = true;
  while (Date.now() < until) {
    fill();
    name += 1;
    const description = 'x'.repeat(900);
    const { status } = await fixture.root.post('/svc/api/projects', {
      name: `Project ${name}`,
      description,
    });
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (status === 503) wasReady &&= await fixture.svc.svc.isReady();
  }
  console.log('answers to writes while the disk was full', Object.fromEntries(answers), { wasReady });
  const others = [...answers.keys()].filter((status) => status !== 201 && status !== 503);
  return { isRefused: others.length === 0 && !wasReady };
}

/** Repeats a write until it succeeds, and returns its status. */
async function writeUntilStored(fixture: RunFixture, freedAt: number): Promise<number> {
  let status: number;
  do {
    ({ status } = await fixture.root.post('/svc/api/projects', { name: `After ${Date.now()}` }));
  } while (status !== 201 && Date.now() - freedAt < 60_000 && (await delay(100, true)));
  console.log(`first write after room was made: ${status}, ${Date.now() - freedAt} ms later`);
  return status;
}

/**
 * Waits until each slot is accounted for. A run whose end could not be stored is resumed, at the latest after its lease
 * has expired. Until then, its subscription skips slots.
 */
async function settledSlots(fixture: RunFixture, freedAt: number) {
  const state = async () =>
    (
      await fixture.svc.database.query(
        `select (select count(*)::int from svc.runs where due_at <= $1 and status = 'Created') as open,
             count(*) filter (where kind = 'skipped')::int as skipped, max(slot) as last,
             (extract(epoch from max(slot) - min(slot)) + 1 - count(distinct slot))::int as missed,
             (count(*) - count(distinct slot))::int as doubled,
             (select coalesce(sum(missed_count), 0)::int from svc.missed_runs where reason = 'NotStarted') as recorded
           from (select due_at as slot, 'run' as kind from svc.runs
             union all select slot_at, 'skipped' from svc.skipped_slots) s
           where slot <= $1`,
        [new Date(freedAt + 5_000)],
      )
    ).rows[0];
  type State = Awaited<ReturnType<typeof state>>;
  const isOver = ({ open, last, missed, recorded }: State) =>
    open === 0 && last.getTime() > freedAt + 3_000 && missed === recorded;
  while (!isOver(await state()) && Date.now() - freedAt < 200_000) await delay(1_000);
  const { open, skipped, missed, recorded, doubled } = await state();
  console.log({
    open,
    skipped,
    missed,
    recorded,
    doubled,
    afterSeconds: Math.round((Date.now() - freedAt) / 1_000),
  });
  return { isComplete: open + doubled === 0 && missed === recorded };
}

await withRunFixture(
  'full-disk',
  {
    dataDirectory: path.join(folder, 'data'),
    config: { 'Svc:Subscriptions:MinimumIntervalSeconds': 1 },
  },
  async (fixture) => {
    const queryId = await fixture.addQuery('select 1 as one');
    const recipientIds = [await fixture.addRecipient('/ticks')];
    await fixture.addSubscription({
      queryId,
      recipientIds,
      notificationTrigger: 'Always',
      cronExpression: '* * * * * *',
      timeZone: 'UTC',
    });
    await delay(3_000);
    fill();
    const { isRefused } = await writeOnFullDisk(fixture);
    rmSync(ballast);
    const freedAt = Date.now();
    const status = await writeUntilStored(fixture, freedAt);
    const { isComplete } = await settledSlots(fixture, freedAt);
    const { rows } = await fixture.svc.database.query(
      `select status, reason, count(*)::int as runs, min(due_at) as first, max(due_at) as last from svc.runs group by 1, 2`,
    );
    console.table(rows);
    const ticks = fixture.sink.received
      .filter((request) => request.path === '/ticks')
      .map(({ text }) => text);
    console.log({ delivered: ticks.length, different: new Set(ticks).size });
    process.exitCode = isRefused && status === 201 && isComplete ? 0 : 1;
  },
);
