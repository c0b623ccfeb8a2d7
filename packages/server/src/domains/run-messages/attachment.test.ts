import { randomBytes } from 'node:crypto';
import type { Email } from '@svc/channels';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import fc from 'fast-check';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TabularBatch } from '../../platform/tabular/index.ts';
import { firstRows, inParts } from './attachment.ts';

const mails: Email[] = [];
let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({
    config: { 'Svc:Notifications:AttachmentMaxBytes': 600_000, 'Svc:Query:MaxExecutionRows': 50_000 },
    svc: { email: async (email) => void mails.push(email) },
  });
});
afterAll(() => fixture.close());

async function mailOf(sql: string, more: Readonly<Record<string, unknown>>) {
  const { id: recipientId } = await fixture.make('/svc/api/recipients', {
    notificationType: 'Email',
    name: randomBytes(6).toString('hex'),
    destination: 'anna@example.org',
  });
  const queryId = await fixture.addQuery(sql, {
    name: `Orders <${randomBytes(3).toString('hex')}> / "late"`,
  });
  const { id } = await fixture.addSubscription({
    queryId,
    recipientIds: [recipientId],
    notificationTrigger: 'Always',
    includeAttachment: true,
    ...more,
  });
  mails.length = 0;
  const run = await fixture.runNow(id);
  return { run, file: mails[0]?.attachment, mail: mails[0] };
}
const partsOf = async (runId: number) =>
  (await fixture.svc.database.query('select from svc.run_attachment_parts where run_id = $1', [runId]))
    .rowCount;

describe('the attachment of a mail', () => {
  test('has real numbers and dates in XLSX, and the mail states how many records the file contains', async () => {
    const { run, file, mail } = await mailOf(
      `select 7.25 as amount, date '2024-02-29' as day, timestamptz '2024-02-29 12:00:00Z' as at, '=1+1' as note
       from generate_series(1, 30)`,
      { attachmentFormat: 'Xlsx', maxRows: 25 },
    );
    expect(run.status).toBe('Sent');
    expect(file).toMatchObject({
      Name: expect.stringMatching(/^Orders-[0-9a-f]{6}-late\.xlsx$/),
      ContentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    });
    const rows = await readSheet(Buffer.from(file?.Data ?? []));
    expect(rows).toHaveLength(26);
    expect(rows[25]).toEqual([7.25, new Date('2024-02-29'), new Date('2024-02-29T12:00:00Z'), '=1+1']);
    expect(mail?.text).toContain('The attached file holds 25 of 30 records.');
    expect(await partsOf(run.id)).toBe(0);
  });

  test('is complete if it consists of several parts', async () => {
    const { run, file } = await mailOf(`select n, repeat('x', 20) as x from generate_series(1, 20000) n`, {
      attachmentFormat: 'Csv',
    });
    expect(run.status).toBe('Sent');
    const lines = Buffer.from(file?.Data ?? [])
      .toString('utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(20_001);
    expect(lines.at(-1)).toMatch(/,x{20}$/);
    expect(file?.Data.byteLength).toBeGreaterThan(524_288);
  });

  test('fails the run with the name of the setting if it becomes too large, and no part remains', async () => {
    const { run, file } = await mailOf(`select repeat('x', 100) as x from generate_series(1, 10000)`, {
      attachmentFormat: 'Csv',
    });
    expect(file).toBeUndefined();
    expect(run).toMatchObject({ status: 'Failed', deliveries: [] });
    expect(run.comment).toContain('Svc:Notifications:AttachmentMaxBytes');
    expect(await partsOf(run.id)).toBe(0);
  });

  test('is not created for a result above the limit, even if it would contain only a few rows', async () => {
    const { run } = await mailOf('select generate_series(1, 50001) as n', { maxRows: 10 });
    expect(run).toMatchObject({ status: 'Failed', deliveries: [] });
    expect(run.comment).toContain('Svc:Query:MaxExecutionRows');
    expect(await partsOf(run.id)).toBe(0);
  });

  test('is deleted if the run sends no message', async () => {
    const { run } = await mailOf('select id from orders', { minimumRowCount: 100 });
    expect(run.status).toBe('BelowThreshold');
    expect(await partsOf(run.id)).toBe(0);
  });
});

async function* eachOf<T>(items: readonly T[]) {
  yield* items;
}
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

test('all parts except the last have the same size, and together they equal the input', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 50 })),
      fc.integer({ min: 1, max: 30 }),
      async (chunks, size) => {
        const bytes = chunks.map((chunk) => Buffer.from(chunk));
        const parts = await all(inParts(eachOf(bytes), size));
        expect(Buffer.concat(parts)).toEqual(Buffer.concat(bytes));
        for (const part of parts.slice(0, -1)) expect(part).toHaveLength(size);
        for (const part of parts) expect(part.length).toBeGreaterThan(0);
      },
    ),
  ));

test('the first rows are cut within a batch, and all other batches are still read', async () => {
  let walked = 0;
  async function* batches(): AsyncGenerator<TabularBatch> {
    for (let first = 0; first < 9; first += 3) {
      walked += 1;
      yield { rowCount: 3, columns: [[first, first + 1, first + 2]] };
    }
  }
  const rows = (await all(firstRows(batches(), 4))).flatMap(({ columns }) => columns[0]);
  expect(rows).toEqual([0, 1, 2, 3]);
  expect(walked).toBe(3);
});
