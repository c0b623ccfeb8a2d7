import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  defaultSettings,
  encryptionKey,
  type RunningService,
  startService,
} from '@svc/testkit/service/service.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKeyRing, open, openBytes, seal, systemRandomness } from '../../platform/crypto/index.ts';
import { findSealedColumns, resealColumn } from '../../platform/secrets/index.ts';

const oldKey = encryptionKey;
const newKey = 'the-next-encryption-key-of-the-tests-0123456789';
const oldRing = createKeyRing({ encryptionKey: oldKey });
const newRing = createKeyRing({ encryptionKey: newKey });
const bothRing = createKeyRing({ encryptionKey: newKey, previousEncryptionKeys: [oldKey] });
const rotating = {
  'Svc:EncryptionKey': newKey,
  'Svc:PreviousEncryptionKeys': [oldKey],
  'Svc:Jobs:Workers': 0,
};
const worker = fileURLToPath(new URL('./testing/rotate-worker.ts', import.meta.url));

let svc: RunningService;
const children: ChildProcess[] = [];
beforeEach(async () => {
  svc = await startService({ config: { 'Svc:Jobs:Workers': 0 } });
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await svc.close();
});

const location = (rowId: number | string) => ({ table: 'recipients', column: 'destination_sealed', rowId });
const secretOf = (id: number | string) => `https://hooks.example.com/secret-${id}`;

/** Inserts recipients with ids from 1, sealed under the earlier key. */
async function addRecipients(count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  await svc.database.query(
    `insert into svc.recipients (id, name, notification_type, destination_sealed) overriding system value
     select v.id, 'Recipient ' || v.id, 'Webhook', v.sealed from unnest($1::int[], $2::text[]) as v (id, sealed)`,
    [ids, ids.map((id) => seal(oldRing, secretOf(id), location(id), systemRandomness))],
  );
}

const stored = async (): Promise<{ id: number; sealed: string }[]> =>
  (await svc.database.query('select id, destination_sealed as sealed from svc.recipients order by id')).rows;

type Line = {
  progress?: { done: number; total: number };
  report?: { isComplete: boolean; resealed: number };
};

/** Rotates in a separate process, which pauses after `standsAfter` batches. The test kills it there. */
async function rotateIn(standsAfter: number): Promise<Line[]> {
  const order = {
    connection: svc.testDatabase.connection,
    values: { ...defaultSettings, ...rotating },
    standsAfter,
  };
  const child = spawn(process.execPath, ['--conditions=svc-source', worker, JSON.stringify(order)], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const exited = once(child, 'exit');
  const lines: Line[] = [];
  for await (const line of readline.createInterface({ input: child.stdout })) {
    lines.push(JSON.parse(line) as Line);
    if (lines.length === standsAfter) child.kill('SIGKILL');
  }
  await exited;
  return lines;
}

describe('a rotation that is killed', () => {
  test('continues at its last position, loses none of 10,000 secrets, and is complete in the end', async () => {
    const count = 10_000;
    await addRecipients(count);
    const remainingCounts: number[] = [];
    for (const standsAfter of [3, 6]) {
      const lines = await rotateIn(standsAfter);
      expect(lines).toHaveLength(standsAfter);
      const rows = await stored();
      for (const { id, sealed } of rows) {
        const opened = open(bothRing, sealed, location(id));
        expect(opened.ok && opened.secret.reveal()).toBe(secretOf(id));
      }
      remainingCounts.push(rows.filter(({ sealed }) => sealed.split('.')[1] === oldRing.current.id).length);
    }
    // The first line of a run reports the total. Each other line reports a batch of 500.
    expect(remainingCounts).toEqual([9_000, 6_500]);
    const end = (await rotateIn(0)).at(-1);
    expect(end?.report).toMatchObject({ isComplete: true, resealed: 6_500, failures: [], unresolved: [] });
    for (const { id, sealed } of await stored()) {
      const opened = open(newRing, sealed, location(id));
      expect(opened.ok && opened.secret.reveal()).toBe(secretOf(id));
    }
    const checks = await svc.database.query('select key_id from svc.encryption_key_checks');
    expect(checks.rows).toEqual([{ key_id: newRing.current.id }]);
  }, 240_000);
});

describe('values that cannot be decrypted', () => {
  test('are reported by place after a flipped bit, swapped values or a lost key, and all other values are rotated', async () => {
    await addRecipients(5);
    const rows = await stored();
    const sealedOf = (id: number) => rows.find((row) => row.id === id)?.sealed ?? '';
    const lost = createKeyRing({ encryptionKey: 'a-key-that-nobody-has-any-more-0123456789' });
    const put = (id: number, sealed: string) =>
      svc.database.query('update svc.recipients set destination_sealed = $2 where id = $1', [id, sealed]);
    await put(
      1,
      sealedOf(1).replace(/.{3}$/, (end) => (end.startsWith('A') ? 'Bgg' : 'Agg')),
    );
    await put(2, sealedOf(3));
    await put(3, sealedOf(2));
    await put(4, seal(lost, secretOf(4), location(4), systemRandomness));
    const rotated = await startService({ on: svc, config: rotating });
    const report = await rotated.svc.rotateSecrets();
    expect(report.isComplete).toBe(false);
    expect(report.resealed).toBe(1);
    expect(report.failures).toEqual([
      { place: 'recipients.destination_sealed', rowId: '1', failure: 'Tampered' },
      { place: 'recipients.destination_sealed', rowId: '2', failure: 'Tampered' },
      { place: 'recipients.destination_sealed', rowId: '3', failure: 'Tampered' },
      { place: 'recipients.destination_sealed', rowId: '4', failure: 'UnknownKey' },
    ]);
    expect(JSON.stringify([report, rotated.log])).not.toContain('secret-');
    const { rows: events } = await svc.database.query(
      "select detail from svc.audit_events where event = 'secrets.rotated'",
    );
    expect(events).toMatchObject([{ detail: { resealed: 1, failures: 4, isComplete: false } }]);
    await rotated.close();
  });

  test('values that were stored without encryption are encrypted, also of archived recipients', async () => {
    await addRecipients(3);
    await svc.database.query(
      `update svc.recipients set destination_sealed = 'https://hooks.example.com/secret-' || id,
         headers_sealed = '{"Authorization":"Bearer secret"}', archived_at = case when id = 2 then now() end
       where id < 3`,
    );
    const again = await startService({ on: svc, config: { 'Svc:Jobs:Workers': 0 } });
    expect(again.log.filter(({ recipients }) => recipients === 1)).toMatchObject([{ level: 40 }]);
    const report = await again.svc.rotateSecrets();
    expect(report).toMatchObject({ encrypted: 4, resealed: 0, isComplete: true });
    const { rows } = await svc.database.query('select * from svc.recipients');
    expect(JSON.stringify(rows)).not.toMatch(/secret-|Bearer/);
    expect(rows).toHaveLength(3);
    await again.close();
  });
});

test('the parts of a file are unchanged, byte for byte', async () => {
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3]);
  const place = { table: 'run_attachment_parts', column: 'data_sealed', rowId: '7/0' };
  await svc.database.query(
    'insert into svc.run_attachment_parts (run_id, run_due_at, part, data_sealed) values (7, now(), 0, $1)',
    [seal(oldRing, bytes, place, systemRandomness)],
  );
  const rotated = await startService({ on: svc, config: rotating });
  const report = await rotated.svc.rotateSecrets();
  await rotated.close();
  expect(report).toMatchObject({ isComplete: true, failures: [] });
  const { rows } = await svc.database.query('select data_sealed as sealed from svc.run_attachment_parts');
  expect(openBytes(newRing, rows[0].sealed, place)).toEqual(bytes);
});

test('a value that is saved during its encryption is not overwritten', async () => {
  await addRecipients(1);
  const saved = seal(oldRing, 'https://hooks.example.com/saved-meanwhile', location(1), systemRandomness);
  const column = (await findSealedColumns(svc.database)).find((each) => each.column === 'destination_sealed');
  if (!column) throw new Error('The column is gone.');
  // The save happens between reading and writing the batch.
  const slow: typeof svc.database.query = async (statement: unknown, values?: unknown) => {
    const answer = await svc.database.query(statement as string, values as unknown[]);
    if (String(statement).startsWith('select'))
      await svc.database.query('update svc.recipients set destination_sealed = $1 where id = 1', [saved]);
    return answer as never;
  };
  const batches = [];
  for await (const batch of resealColumn({ query: slow as never }, bothRing, systemRandomness, column))
    batches.push(batch);
  expect(batches[0]).toEqual({ resealed: 0, failures: [] });
  expect((await stored())[0]?.sealed).toBe(saved);
});

describe('the start of the service', () => {
  test('with another key logs one error with counts, retains the check of the right key, and does not stop', async () => {
    await addRecipients(2);
    const other = await startService({
      on: svc,
      config: { 'Svc:EncryptionKey': newKey, 'Svc:Jobs:Workers': 0 },
    });
    const errors = other.log.filter(({ level }) => level === 50);
    expect(errors).toMatchObject([{ values: { 'recipients.destination_sealed': 2 } }]);
    const { rows } = await svc.database.query('select key_id from svc.encryption_key_checks');
    expect(rows).toEqual([{ key_id: oldRing.current.id }]);
    await other.close();
  });

  test('with a new key and the earlier one logs how many values still use the earlier one', async () => {
    await addRecipients(2);
    const rotated = await startService({ on: svc, config: rotating });
    expect(rotated.log.filter(({ values }) => values !== undefined)).toMatchObject([
      { level: 40, values: { 'recipients.destination_sealed': 2 } },
    ]);
    await rotated.close();
  });

  test('without a key fails if the database contains secrets', async () => {
    await addRecipients(1);
    const config = { 'Svc:EncryptionKey': undefined, 'Svc:Jobs:Workers': 0 };
    await expect(startService({ on: svc, config })).rejects.toThrow('Svc:EncryptionKey is not set');
  });
});
