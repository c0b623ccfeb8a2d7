import type { Email } from '@svc/channels';
import { approvalsOn, approveRecipient } from '@svc/testkit/runs/approve.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { readSheet } from 'read-excel-file/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const mails: Email[] = [];
let fixture: RunFixture;
let approve: (recipientId: number) => Promise<unknown>;
let isMailboxFull = false;
let count = 0;
beforeAll(async () => {
  fixture = await startRunFixture({
    config: { ...approvalsOn, 'Svc:Notifications:AttachmentMaxBytes': 60_000 },
    svc: {
      email: async (email) => {
        // The owner receives mails about failed runs.
        if (email.to === 'root@example.org') return;
        if (isMailboxFull) throw new Error('mailbox full');
        mails.push(email);
      },
    },
  });
  const approver = await fixture.person('approver', 'Approver');
  approve = (recipientId) => approveRecipient(approver, recipientId);
});
afterAll(() => fixture.close());
beforeEach(() => {
  mails.length = 0;
  isMailboxFull = false;
});

const people = ['anna', 'bert', 'cleo'] as const;

/** Creates a subscription on rows with the owners 0, 1 and 2, each with a mailbox. */
async function byOwner(rows: number, more: Readonly<Record<string, unknown>> = {}, approved = 3) {
  count += 1;
  const recipientIds: number[] = [];
  for (const [index, name] of people.entries()) {
    const { id } = await fixture.make('/svc/api/recipients', {
      notificationType: 'Email',
      name: `${name} ${count}`,
      destination: `${name}@example.org`,
    });
    if (index < approved) await approve(id);
    recipientIds.push(id);
  }
  const { id } = await fixture.addSubscription({
    recipientIds,
    notificationTrigger: 'Always',
    includeAttachment: true,
    queryId: await fixture.addQuery(`select n as id, n % 3 as owner, repeat('x', 20) as filler
      from generate_series(0, ${rows - 1}) n order by n`),
    routing: {
      column: 'owner',
      routes: recipientIds.map((recipientId, index) => ({ value: String(index), recipientId })),
    },
    ...more,
  });
  return { id, recipientIds };
}

const mailTo = (name: string) => mails.find(({ to }) => JSON.stringify(to).includes(name));
const fileOf = (name: string) => Buffer.from(mailTo(name)?.attachment?.Data ?? []);
const linesOf = (name: string) => fileOf(name).toString('utf8').trimEnd().split('\r\n');
const filesOf = async (runId: number) =>
  (await fixture.svc.database.query('select from svc.run_attachments where run_id = $1', [runId])).rowCount;

describe('the file of a recipient', () => {
  test('is a CSV file with all its own rows, in any order of the result', async () => {
    const { id } = await byOwner(4_000);
    const run = await fixture.runNow(id);
    expect(run.status).toBe('Sent');
    for (const [owner, name] of people.entries()) {
      const [, ...rows] = linesOf(name);
      expect(rows).toHaveLength(owner === 0 ? 1_334 : 1_333);
      expect(rows.filter((line) => line.split(',')[1] !== String(owner))).toEqual([]);
    }
    expect(await filesOf(run.id)).toBe(0);
  });

  test('is an XLSX file with its own rows, up to the maximum number of rows', async () => {
    const { id } = await byOwner(30, { attachmentFormat: 'Xlsx', maxRows: 4 });
    expect((await fixture.runNow(id)).status).toBe('Sent');
    for (const [owner, name] of people.entries()) {
      const [, ...rows] = await readSheet(fileOf(name));
      expect(rows.map((row) => [row[0], row[1]])).toEqual([0, 1, 2, 3].map((n) => [n * 3 + owner, owner]));
      expect(mailTo(name)?.text).toContain('4 of 10 records');
    }
  });

  test('fails the run if it becomes too large, and no file remains', async () => {
    const { id } = await byOwner(9_000);
    const run = await fixture.runNow(id);
    expect(run).toMatchObject({ status: 'Failed', deliveries: [] });
    expect(run.comment).toContain('Svc:Notifications:AttachmentMaxBytes');
    expect(mails).toEqual([]);
    expect(await filesOf(run.id)).toBe(0);
  });

  test('does not remain after a run whose query fails or that sends no message', async () => {
    const broken = await byOwner(10, {
      queryId: await fixture.addQuery(
        'select 1 / (2999 - n) as id, n % 3 as owner from generate_series(0, 3000) n',
      ),
    });
    const quiet = await byOwner(10, { minimumRowCount: 100 });
    for (const [{ id }, status] of [
      [broken, 'Failed'],
      [quiet, 'BelowThreshold'],
    ] as const) {
      const run = await fixture.runNow(id);
      expect(run.status).toBe(status);
      expect(await filesOf(run.id)).toBe(0);
    }
    expect(mails).toEqual([]);
  });

  test('is stored for a failed delivery, and sent again with it', async () => {
    const { id } = await byOwner(9);
    isMailboxFull = true;
    const run = await fixture.runNow(id);
    expect(run.status).toBe('Failed');
    expect(await filesOf(run.id)).toBe(3);
    isMailboxFull = false;
    const again = await fixture.root.post(`/svc/api/notifications/${run.id}/resend-failed`, {});
    expect(again.body).toMatchObject({ orderedCount: 3 });
    await until('three mails', async () => (mails.length === 3 ? true : undefined));
    for (const [owner, name] of people.entries())
      expect(linesOf(name).slice(1)).toEqual([0, 3, 6].map((n) => `${n + owner},${owner},${'x'.repeat(20)}`));
    await until('the files to go', async () => ((await filesOf(run.id)) === 0 ? true : undefined));
  });
});

test('rows of a recipient that awaits approval are sent to no other recipient', async () => {
  const { id, recipientIds } = await byOwner(9, {}, 2);
  const run = await fixture.runNow(id);
  expect(run).toMatchObject({ status: 'Sent', unroutedCount: 0 });
  expect(mails).toHaveLength(2);
  expect(mailTo('cleo')).toBeUndefined();
  expect(run.deliveries.find((each) => each['recipientId'] === recipientIds[2])).toMatchObject({
    state: 'Skipped',
  });
});
