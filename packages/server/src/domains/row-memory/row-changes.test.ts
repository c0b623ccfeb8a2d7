import { createJobs } from '@svc/jobs';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const path = '/svc/api/subscriptions';
let fixture: RunFixture;
let viewer: HttpClient;
let count = 0;
beforeAll(async () => {
  fixture = await startRunFixture();
  viewer = await fixture.person('viewer', 'Viewer');
  await fixture.shop.query('create table stock (id int, email text, state text, note text)');
});
afterAll(() => fixture.close());
beforeEach(() => fixture.shop.query('truncate stock'));

const sql = (text: string, values: unknown[] = []) => fixture.svc.database.query(text, values);
const add = (...rows: readonly (readonly [number, string, string?])[]) =>
  Promise.all(
    rows.map(([id, state, email = `c${id}@example.org`]) =>
      fixture.shop.query('insert into stock values ($1, $2, $3, $4)', [id, email, state, 'n']),
    ),
  );
const statement = 'select id, email, state from stock order by id';

type Body = {
  readonly totalRecords: number;
  readonly records: readonly Readonly<Record<string, unknown>>[];
  readonly rowChanges?: Readonly<Record<string, number>>;
};

/** Creates a subscription that remembers rows by id. A test runs it as its schedule does. */
async function watch(
  rowMemory: Readonly<Record<string, unknown>> = {},
  more: Readonly<Record<string, unknown>> = {},
) {
  const to = `/rows/${++count}`;
  const queryId = await fixture.addQuery(statement);
  const { id } = await fixture.addSubscription({
    queryId,
    recipientIds: [await fixture.addRecipient(to)],
    notificationTrigger: 'OnRowChange',
    rowMemory: { keyColumns: ['id'], ...rowMemory },
    ...more,
  });
  const runs = async (of = id) =>
    (
      await sql(
        `select id, status, reason, held_until > now() as "isHeld" from svc.runs where subscription_id = $1 order by id`,
        [of],
      )
    ).rows;
  return {
    id,
    to,
    queryId,
    read: async () => (await fixture.root.get(`${path}/${id}`)).body,
    /** Runs the schedule once and waits until the run has ended or is held. */
    tick: async (of = id) => {
      const before = (await runs(of)).length;
      const jobs = createJobs({ pool: fixture.svc.database });
      await jobs.schedules.trigger(jobs.executor, `subscription:${of}`);
      const run = await until('a run of the schedule', async () => {
        const next = (await runs(of))[before];
        return next && (next.isHeld || next.status !== 'Created') ? next : undefined;
      });
      return [run.status, run.reason];
    },
    bodies: (): Body[] =>
      fixture.sink.received.filter((request) => request.path === to).map(({ text }) => JSON.parse(text)),
  };
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
/** Quiet hours that never end. */
const allDay = {
  timeZone: 'UTC',
  criticalPasses: false,
  windows: [
    { days, from: '00:00', to: '12:00' },
    { days, from: '12:00', to: '00:00' },
  ],
};

/** Ends the quiet hours of a subscription's held runs. */
const releaseHeld = (subscriptionId: number) =>
  sql(
    `with held as (update svc.runs set held_until = now() where subscription_id = $1 and status = 'Created' returning job_id)
     update svc_jobs.job set due_at = now() where id in (select job_id from held)`,
    [subscriptionId],
  );

const changesOf = ({ records }: Body) => records.map(({ id, change }) => `${id} ${change}`);

describe('a subscription with the trigger OnRowChange', () => {
  test('stores a baseline first, then sends only the new rows: 2, 1 and 0', async () => {
    const watched = await watch();
    await add([1, 'open'], [2, 'open'], [3, 'open']);
    expect(await watched.tick()).toEqual(['Silenced', 'Baseline']);
    expect((await watched.read()).rememberedRows).toMatchObject({ rowCount: 3, duplicateKeyCount: 0 });
    await add([4, 'open'], [5, 'open']);
    expect(await watched.tick()).toEqual(['Sent', null]);
    await add([6, 'open']);
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect(await watched.tick()).toEqual(['Silenced', 'NothingChanged']);
    const bodies = watched.bodies();
    expect(bodies.map(({ totalRecords }) => totalRecords)).toEqual([2, 1]);
    expect(bodies.map(changesOf)).toEqual([['4 New', '5 New'], ['6 New']]);
    expect(bodies.map(({ rowChanges }) => rowChanges)).toEqual([{ new: 2 }, { new: 1 }]);
  });

  test('sends changed rows, and the number of vanished rows', async () => {
    const watched = await watch({ changes: ['New', 'Changed', 'Vanished'] });
    await add([1, 'open'], [2, 'open'], [3, 'open']);
    await watched.tick();
    await fixture.shop.query(`update stock set state = 'shut' where id = 2; delete from stock where id = 3`);
    await add([4, 'open']);
    expect(await watched.tick()).toEqual(['Sent', null]);
    const [body] = watched.bodies();
    expect(body && changesOf(body)).toEqual(['2 Changed', '4 New']);
    expect(body).toMatchObject({ totalRecords: 2, rowChanges: { new: 1, changed: 1, vanished: 1 } });
    await fixture.shop.query('truncate stock');
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect(watched.bodies()[1]).toMatchObject({
      totalRecords: 0,
      records: [],
      rowChanges: { new: 0, changed: 0, vanished: 3 },
    });
    expect(await watched.tick()).toEqual(['NoResults', null]);
  });

  test('names vanished rows by their masked keys if the subscription stores keys', async () => {
    const watched = await watch({ keyColumns: ['id', 'email'], changes: ['Vanished'], keepsKeys: true });
    await add([1, 'open'], [2, 'open']);
    await watched.tick();
    await fixture.shop.query('delete from stock where id = 2');
    expect(await watched.tick()).toEqual(['Sent', null]);
    const [body] = watched.bodies();
    expect(body).toMatchObject({ totalRecords: 1, records: [{ id: 2, state: null, change: 'Vanished' }] });
    expect(JSON.stringify(body)).not.toContain('c2@example.org');
    const { rows } = await sql('select keys_sealed from svc.row_memory_buckets where subscription_id = $1', [
      watched.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0].keys_sealed).toMatch(/^v1\./);
  });

  test('watches only the specified columns', async () => {
    const watched = await watch({ watchedColumns: ['state'], changes: ['Changed'] });
    await add([1, 'open']);
    await watched.tick();
    await fixture.shop.query(`update stock set email = 'other@example.org'`);
    expect(await watched.tick()).toEqual(['Silenced', 'NothingChanged']);
    await fixture.shop.query(`update stock set state = 'shut'`);
    expect(await watched.tick()).toEqual(['Sent', null]);
  });

  test('compares the number of changed rows with the minimum row count', async () => {
    const watched = await watch({}, { minimumRowCount: 2 });
    await add([1, 'open'], [2, 'open'], [3, 'open']);
    await watched.tick();
    await add([4, 'open']);
    expect(await watched.tick()).toEqual(['BelowThreshold', null]);
    await add([5, 'open'], [6, 'open']);
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect(watched.bodies().map(changesOf)).toEqual([['5 New', '6 New']]);
  });

  test('distinguishes rows whose keys are equal after masking', async () => {
    const watched = await watch({ keyColumns: ['email'] });
    await add([1, 'open', 'anna@example.org']);
    await watched.tick();
    await add([2, 'open', 'anja@example.org']);
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect((await watched.read()).rememberedRows.rowCount).toBe(2);
    const masked = (await fixture.runNow(watched.id)) && watched.bodies()[0]?.records[0]?.['email'];
    expect(masked).not.toBe('anja@example.org');
  });

  test('treats rows with one key as one row in any order, and counts such keys', async () => {
    const watched = await watch({ keyColumns: ['state'], changes: ['New', 'Changed'] });
    await add([1, 'open'], [2, 'open'], [3, 'shut']);
    await watched.tick();
    expect((await watched.read()).rememberedRows).toMatchObject({ rowCount: 2, duplicateKeyCount: 1 });
    await fixture.shop.query('create table turned as select * from stock order by id desc');
    await fixture.shop.query('truncate stock; insert into stock select * from turned; drop table turned');
    expect(await watched.tick()).toEqual(['Silenced', 'NothingChanged']);
    await fixture.shop.query(`update stock set email = 'new@example.org' where id = 2`);
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect(watched.bodies().map(changesOf)).toEqual([['1 Changed', '2 Changed']]);
    await add([9, 'shut']);
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect(watched.bodies()[1]?.records).toMatchObject([{ id: 9, change: 'Changed' }]);
  });

  test('sends one message per row for the first 20 rows, and one message for the other rows', async () => {
    const watched = await watch({ delivery: 'PerRow' });
    await watched.tick();
    await fixture.shop.query(`insert into stock select n, 'e', 's', 'n' from generate_series(1, 23) n`);
    expect(await watched.tick()).toEqual(['Sent', null]);
    const bodies = watched.bodies();
    expect(bodies).toHaveLength(21);
    const single = bodies.filter(({ totalRecords }) => totalRecords === 1);
    expect(single.flatMap(changesOf).sort()).toEqual(
      Array.from({ length: 20 }, (_, index) => `${index + 1} New`).sort(),
    );
    const rest = bodies.find(({ totalRecords }) => totalRecords === 3);
    expect(rest).toMatchObject({ rowChanges: { new: 3 } });
    expect(rest && changesOf(rest)).toEqual(['21 New', '22 New', '23 New']);
    await add([50, 'open']);
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect(watched.bodies()).toHaveLength(22);
  });

  test('signs the message of each row', async () => {
    const watched = await watch({ delivery: 'PerRow' });
    await watched.tick();
    const [row] = (
      await sql('select recipient_id as id from svc.subscription_recipients where subscription_id = $1', [
        watched.id,
      ])
    ).rows;
    const { secret } = (await fixture.root.post(`/svc/api/recipients/${row?.id}/signing-secrets`)).body;
    await add([1, 'open'], [2, 'open']);
    expect(await watched.tick()).toEqual(['Sent', null]);
    const received = fixture.sink.received.filter((request) => request.path === watched.to);
    expect(received).toHaveLength(2);
    for (const { text, headers } of received)
      expect(() => new Webhook(secret).verify(text, headers as Record<string, string>)).not.toThrow();
  });

  test('a manual run sends the new rows, and they stay new for the schedule', async () => {
    const watched = await watch();
    await watched.tick();
    await add([1, 'open']);
    expect((await fixture.runNow(watched.id)).status).toBe('Sent');
    expect((await fixture.runNow(watched.id)).status).toBe('Sent');
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect((await fixture.runNow(watched.id)).status).toBe('Silenced');
    expect(watched.bodies().map(changesOf)).toEqual([['1 New'], ['1 New'], ['1 New']]);
  });

  test('a manual run during quiet hours does not affect the suspended message and its rows', async () => {
    const watched = await watch({}, { quietHours: allDay });
    await watched.tick();
    await add([1, 'open']);
    expect((await watched.tick())[0]).toBe('Created');
    expect((await fixture.runNow(watched.id)).status).toBe('Sent');
    expect(watched.bodies().map(changesOf)).toEqual([['1 New']]);
    await releaseHeld(watched.id);
    await until('the held message', async () => (watched.bodies().length === 2 ? true : undefined));
    expect(watched.bodies().map(changesOf)[1]).toEqual(['1 New']);
    await until('the held rows to be stored', async () =>
      (await watched.read()).rememberedRows?.rowCount === 1 ? true : undefined,
    );
    expect(await watched.tick()).toEqual(['Silenced', 'NothingChanged']);
  });

  test('a first manual run stores the baseline, and the schedule then sends the new rows', async () => {
    const watched = await watch();
    await add([1, 'open']);
    expect((await fixture.runNow(watched.id)).status).toBe('Silenced');
    expect((await watched.read()).rememberedRows).toMatchObject({ rowCount: 1 });
    await add([2, 'open']);
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect(watched.bodies().map(changesOf)).toEqual([['2 New']]);
  });

  test('rows of runs that were silenced by a snooze stay new', async () => {
    const watched = await watch();
    await watched.tick();
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await fixture.root.post(`${path}/${watched.id}/snooze`, { until });
    await add([1, 'open']);
    expect(await watched.tick()).toEqual(['Silenced', 'Snoozed']);
    await fixture.root.post(`${path}/${watched.id}/snooze`, { until: null });
    await add([2, 'open']);
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect(watched.bodies().map(changesOf)).toEqual([['1 New', '2 New']]);
  });

  test('rows that could not be delivered count as known, because their message is sent again', async () => {
    const watched = await watch();
    await watched.tick();
    await add([1, 'open']);
    fixture.sink.answers.set(watched.to, 500);
    expect((await watched.tick())[0]).toBe('Failed');
    expect(await watched.tick()).toEqual(['Silenced', 'NothingChanged']);
    fixture.sink.answers.delete(watched.to);
    const [run] = (
      await sql(`select id from svc.runs where subscription_id = $1 and status = 'Failed'`, [watched.id])
    ).rows;
    expect((await fixture.root.post(`/svc/api/notifications/${run.id}/resend-failed`, {})).status).toBe(202);
    await until('the message to arrive', async () => (watched.bodies().length === 2 ? true : undefined));
    expect(watched.bodies().map(changesOf)).toEqual([['1 New'], ['1 New']]);
  });

  test('the attached file contains only the rows that are reported', async () => {
    const watched = await watch({}, { includeAttachment: true, attachmentFormat: 'Csv' });
    await add([1, 'open']);
    await watched.tick();
    await add([2, 'open']);
    fixture.sink.answers.set(watched.to, 500);
    await watched.tick();
    const { rows } = await sql(
      `select a.row_count from svc.run_attachments a join svc.runs r on r.id = a.run_id where r.subscription_id = $1`,
      [watched.id],
    );
    expect(rows.map(({ row_count }) => Number(row_count))).toEqual([1]);
  });
});

describe('the row memory', () => {
  test('starts with a new baseline after a reset or a change of the key columns', async () => {
    const watched = await watch();
    await add([1, 'open']);
    await watched.tick();
    expect((await fixture.root.post(`${path}/${watched.id}/row-memory-reset`)).status).toBe(204);
    expect((await watched.read()).rememberedRows).toBeNull();
    await add([2, 'open']);
    expect(await watched.tick()).toEqual(['Silenced', 'Baseline']);
    const rowMemory = { keyColumns: ['email', 'id'] };
    expect((await fixture.root.patch(`${path}/${watched.id}`, { rowMemory })).status).toBe(200);
    expect(await watched.tick()).toEqual(['Silenced', 'Baseline']);
    await add([3, 'open']);
    expect(await watched.tick()).toEqual(['Sent', null]);
    // The order of the columns has no meaning.
    await fixture.root.patch(`${path}/${watched.id}`, { rowMemory: { keyColumns: ['id', 'email'] } });
    expect(await watched.tick()).toEqual(['Silenced', 'NothingChanged']);
    const { rows } = await sql(
      `select event from svc.audit_events where subject_kind = 'subscription' and subject_id = $1 and event ~ 'memory'`,
      [watched.id],
    );
    expect(rows).toEqual([{ event: 'subscriptions.row_memory_reset' }]);
  });

  test('is deleted with another trigger, and also with other result columns if changes are watched', async () => {
    const watched = await watch({ changes: ['New', 'Changed'] });
    await add([1, 'open']);
    await watched.tick();
    const columns = {
      steps: [{ dataSourceId: fixture.sourceId, sql: 'select id, note from stock order by id' }],
    };
    const { body: query } = await fixture.root.get(`/svc/api/queries/${watched.queryId}`);
    const input = { name: query.name, description: query.description, ...columns };
    expect((await fixture.root.put(`/svc/api/queries/${watched.queryId}`, input)).status).toBe(200);
    await add([2, 'open']);
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect(watched.bodies().map(changesOf)).toEqual([['2 New']]);
    await fixture.shop.query(`update stock set note = 'm' where id = 1`);
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect(watched.bodies().map(changesOf)[1]).toEqual(['1 Changed']);
    const other = await fixture.root.patch(`${path}/${watched.id}`, { notificationTrigger: 'Always' });
    expect(other.body).toMatchObject({ rowMemory: null, rememberedRows: null });
    for (const table of ['row_memories', 'row_memory_buckets', 'row_memory_staged'])
      expect((await sql(`select from svc.${table} where subscription_id = $1`, [watched.id])).rowCount).toBe(
        0,
      );
  });

  test('is transferred to the subscription that replaces its subscription', async () => {
    const watched = await watch();
    await add([1, 'open']);
    await watched.tick();
    const { body } = await fixture.root.post(`${path}/${watched.id}/replace`, {
      cronExpression: '15 6 1 1 *',
    });
    expect(body).toMatchObject({ rowMemory: { keyColumns: ['id'] }, rememberedRows: { rowCount: 1 } });
    await add([2, 'open']);
    expect(await watched.tick(body.id)).toEqual(['Sent', null]);
    expect(watched.bodies().map(changesOf)).toEqual([['2 New']]);
  });

  test('contains no cell of the rows in readable form, in any table', async () => {
    const watched = await watch({ keyColumns: ['email'], keepsKeys: true });
    await add([1, 'open', 'remembered.cell@example.org']);
    await watched.tick();
    const { rows: tables } = await sql(`select table_name as name from information_schema.tables
      where table_schema = 'svc' and table_type = 'BASE TABLE'`);
    const secret = 'remembered.cell@example.org';
    for (const { name } of tables) {
      const { rows } = await sql(
        `select count(*)::int as n from svc."${name}" t where position($1 in t::text) > 0 or position($2 in t::text) > 0`,
        [secret, Buffer.from(secret).toString('hex')],
      );
      expect([name, rows[0].n]).toEqual([name, 0]);
    }
  });

  test('is compared again after quiet hours suspended a run, and rows that vanished meanwhile are not sent', async () => {
    const watched = await watch({}, { quietHours: allDay });
    await watched.tick();
    await add([1, 'open']);
    expect((await watched.tick())[0]).toBe('Created');
    await add([2, 'open']);
    expect((await watched.tick())[0]).toBe('Created');
    await fixture.shop.query('delete from stock where id = 1');
    expect((await watched.tick())[0]).toBe('Created');
    const ends = await sql('select status, reason from svc.runs where subscription_id = $1 order by id', [
      watched.id,
    ]);
    expect(ends.rows.slice(1).map(({ reason }) => reason)).toEqual(['Superseded', 'Superseded', null]);
    await releaseHeld(watched.id);
    await until('the message to arrive', async () => (watched.bodies().length === 1 ? true : undefined));
    expect(watched.bodies().map(changesOf)).toEqual([['2 New']]);
    await until('the run to end', async () =>
      (await watched.read()).rememberedRows?.rowCount === 1 ? true : undefined,
    );
  });
});

describe('a run that cannot compare', () => {
  test('fails if a key column is missing, and names the column', async () => {
    const watched = await watch({ keyColumns: ['id', 'gone'] });
    const run = await fixture.runNow(watched.id);
    expect(run).toMatchObject({ status: 'Failed', comment: expect.stringContaining('compared by: gone') });
  });

  test('a dry run reports which rows would be sent, and stores nothing', async () => {
    const watched = await watch();
    await watched.tick();
    await add([1, 'open']);
    const dry = () => fixture.root.post(`${path}/${watched.id}/message-preview`, { source: 'DryRun' });
    for (let time = 0; time < 2; time += 1)
      expect((await dry()).body).toMatchObject({ outcome: 'Notify', totalRows: 1 });
    expect(await watched.tick()).toEqual(['Sent', null]);
    expect((await dry()).body).toMatchObject({ outcome: 'Silenced', totalRows: 0 });
  });
});

/** Puts a run into the state after a crash that follows the stored outcome, and lets another process resume it. */
async function takeUpAgain(subscriptionId: number) {
  const { rows } = await sql(
    `update svc.runs set status = 'Created', reason = null, reason_detail = null, finished_at = null
      where id = (select max(id) from svc.runs where subscription_id = $1) returning id, job_id as "jobId"`,
    [subscriptionId],
  );
  await sql('delete from svc.deliveries where run_id = $1', [rows[0].id]);
  await sql(`update svc_jobs.job set state = 'Enqueued' where id = $1`, [rows[0].jobId]);
  return (await fixture.endOf(rows[0].id)).status;
}

test('a resumed run sends the rows that it had decided on, and the next run does not send them again', async () => {
  const watched = await watch({ delivery: 'PerRow' });
  await watched.tick();
  await add([1, 'open'], [2, 'open']);
  await watched.tick();
  await add([3, 'open']);
  expect(await takeUpAgain(watched.id)).toBe('Sent');
  expect(watched.bodies().flatMap(changesOf).sort()).toEqual(['1 New', '1 New', '2 New', '2 New']);
  expect(await watched.tick()).toEqual(['Sent', null]);
  expect(watched.bodies().flatMap(changesOf).at(-1)).toBe('3 New');
});

describe('400', () => {
  const keyColumns = ['id'];
  test.each([
    ['no key columns', { notificationTrigger: 'OnRowChange' }, 'row-memory-required'],
    ['null', { notificationTrigger: 'OnRowChange', rowMemory: null }, 'row-memory-required'],
    [
      'another trigger',
      { notificationTrigger: 'Always', rowMemory: { keyColumns } },
      'row-memory-without-trigger',
    ],
    [
      'an empty list of key columns',
      { notificationTrigger: 'OnRowChange', rowMemory: { keyColumns: [] } },
      'invalid-input',
    ],
    [
      'a duplicate key column',
      { notificationTrigger: 'OnRowChange', rowMemory: { keyColumns: ['id', 'id'] } },
      'invalid-input',
    ],
    [
      'no kinds of changes',
      { notificationTrigger: 'OnRowChange', rowMemory: { keyColumns, changes: [] } },
      'invalid-input',
    ],
  ])('refuses a row memory: %s', async (_what, more, code) => {
    const queryId = await fixture.addQuery(statement);
    const recipientIds = [await fixture.addRecipient()];
    const answer = await fixture.root.post(path, {
      queryId,
      recipientIds,
      cronExpression: '0 8 * * *',
      ...more,
    });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expect(answer.body.errors[0].path).toMatch(/^\/rowMemory/);
  });

  test('the key columns cannot be removed while the trigger needs them', async () => {
    const { id } = await watch();
    const answer = await fixture.root.patch(`${path}/${id}`, { rowMemory: null });
    expect([answer.status, answer.body.code]).toEqual([400, 'row-memory-required']);
  });
});

test('a reset of the row memory gets 403 for a Viewer, and 404 for an unknown subscription', async () => {
  const { id } = await watch();
  expect((await viewer.post(`${path}/${id}/row-memory-reset`)).status).toBe(403);
  expect((await fixture.root.post(`${path}/999999/row-memory-reset`)).status).toBe(404);
});
