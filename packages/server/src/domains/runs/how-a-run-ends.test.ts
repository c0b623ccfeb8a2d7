import { signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { startService } from '@svc/testkit/service/service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Query:MaxExecutionRows': 50 } });
});
afterAll(() => fixture.close());

const watch = async (sql: string, more: Readonly<Record<string, unknown>> = {}): Promise<number> => {
  const queryId = await fixture.addQuery(sql);
  const recipientIds = [await fixture.addRecipient()];
  const input = { queryId, recipientIds, notificationTrigger: 'Always', ...more };
  return (await fixture.addSubscription(input)).id;
};
const bodiesAt = (path: string) =>
  fixture.sink.received.filter((request) => request.path === path).map(({ text }) => JSON.parse(text));

describe('Sent', () => {
  test('a run sends a masked and cut message to every recipient, and stores its result', async () => {
    const queryId = await fixture.addQuery('select id, email from orders order by id');
    const recipientIds = [await fixture.addRecipient('/sent/1'), await fixture.addRecipient('/sent/2')];
    const settings = { notificationTrigger: 'Always', showQuery: true, storeResults: true, maxRows: 2 };
    const { id } = await fixture.addSubscription({ queryId, recipientIds, ...settings });
    const run = await fixture.runNow(id);
    expect(run).toMatchObject({
      status: 'Sent',
      comment: null,
      origin: 'Test',
      resultCount: 3,
      previousResultCount: null,
      results: { columns: ['id', 'email'], isTruncated: true },
    });
    expect(
      run.deliveries.map(({ recipientId, state, attempt }) => ({ recipientId, state, attempt })),
    ).toEqual(recipientIds.map((recipientId) => ({ recipientId, state: 'Sent', attempt: 1 })));
    for (const path of ['/sent/1', '/sent/2']) {
      const [body] = bodiesAt(path);
      expect(body).toMatchObject({ subscriptionId: id, totalRecords: 3, timedOut: false });
      expect(body.records).toHaveLength(2);
      expect(body.sqlQuery).toContain('from orders');
      expect(JSON.stringify(body)).not.toContain('@example.org');
    }
    expect(JSON.stringify(run)).not.toContain('@example.org');
  });

  test('a run stores the version of the query that it ran, even after later saves', async () => {
    const queryId = await fixture.addQuery('select 1 as one');
    const { id } = await fixture.addSubscription({ queryId, recipientIds: [await fixture.addRecipient()] });
    await fixture.runNow(id);
    const { body: query } = await fixture.root.get(`/svc/api/queries/${queryId}`);
    const saved = await fixture.root.put(`/svc/api/queries/${queryId}`, {
      name: 'Renamed',
      steps: query.steps.map(({ dataSourceId, sql }: { dataSourceId: number; sql: string }) => ({
        dataSourceId,
        sql,
      })),
    });
    expect(saved.status, saved.text).toBe(200);
    await fixture.runNow(id);
    const { rows } = await fixture.svc.database.query(
      `select v.version_number as number from svc.runs r join svc.query_versions v on v.id = r.query_version_id
        where r.subscription_id = $1 order by r.id`,
      [id],
    );
    expect(rows).toEqual([{ number: 1 }, { number: 2 }]);
  });

  test('the row count of the previous run is stored with the next run, ignoring a skipped run', async () => {
    const id = await watch('select id from orders');
    expect((await fixture.runNow(id)).previousResultCount).toBeNull();
    const { rows } = await fixture.svc.database.query(
      'select recipient_id from svc.subscription_recipients where subscription_id = $1',
      [id],
    );
    const recipientId = rows[0].recipient_id;
    await fixture.root.delete(`/svc/api/subscriptions/${id}/recipients/${recipientId}`);
    expect((await fixture.root.post(`/svc/api/subscriptions/${id}/test-run`)).status).toBe(409);
    await fixture.root.post(`/svc/api/subscriptions/${id}/recipients`, { recipientIds: [recipientId] });
    expect(await fixture.runNow(id)).toMatchObject({ status: 'Sent', previousResultCount: 3 });
  });
});

describe('Failed', () => {
  test('a failing recipient is named, the others get their message, and its response text is not in the history', async () => {
    fixture.sink.answers.set('/broken', 500);
    fixture.sink.answers.set('/gone', 'cut');
    const queryId = await fixture.addQuery('select 1 as one');
    const broken = await fixture.addRecipient('/broken');
    const gone = await fixture.addRecipient('/gone');
    const fine = await fixture.addRecipient('/fine');
    const recipientIds = [broken, gone, fine];
    const { id } = await fixture.addSubscription({ queryId, recipientIds, notificationTrigger: 'Always' });
    const run = await fixture.runNow(id);
    expect(run.status).toBe('Failed');
    expect(run.comment).toContain(`Recipient ${broken}:`);
    expect(run.comment).toContain(`Recipient ${gone}:`);
    expect(run.comment).not.toContain(`Recipient ${fine}`);
    expect(run.deliveries.map(({ state }) => state)).toEqual(['Failed', 'Failed', 'Sent']);
    expect(bodiesAt('/fine')).toHaveLength(1);
    expect(bodiesAt('/broken')).toHaveLength(1);
    expect(JSON.stringify(run)).not.toContain('secret words');
  });

  test('a run whose query the database refuses stores the message of the database with its position', async () => {
    const run = await fixture.runNow(await watch('select id,\n  nothing_like_it\nfrom orders'));
    const message = 'column "nothing_like_it" does not exist';
    expect(run).toMatchObject({
      status: 'Failed',
      deliveries: [],
      resultCount: null,
      comment: `The query failed in step 1, line 2, column 3: ${message}`,
      failure: { stepOrder: 1, line: 2, column: 3, message, sqlLine: '  nothing_like_it' },
    });
    const notices = await fixture.root.get('/svc/api/notices');
    expect(notices.text).toContain('nothing_like_it');
  });

  test('a run whose query fails on values stores the class of the error, without a value', async () => {
    const before = fixture.svc.log.length;
    const run = await fixture.runNow(await watch('select string_agg(email, chr(10))::int from orders'));
    expect(run).toMatchObject({ status: 'Failed', failure: { stepOrder: 1, line: null, sqlLine: null } });
    expect(run.comment).toContain('cannot be converted');
    const { rows } = await fixture.svc.database.query('select reason_detail from svc.runs where id = $1', [
      run.id,
    ]);
    const logged = fixture.svc.log.slice(before);
    expect(JSON.stringify({ run, rows, logged })).not.toContain('@example.org');
  });

  test('the log contains the error of a failed run once', async () => {
    const before = fixture.svc.log.length;
    await fixture.runNow(await watch('select told_only_once from orders'));
    const mentions = JSON.stringify(fixture.svc.log.slice(before)).split('told_only_once').length - 1;
    expect(mentions).toBe(1);
  });

  test('a result above the limit fails, and the comment names the setting', async () => {
    const run = await fixture.runNow(await watch('select generate_series(1, 51) as n'));
    expect(run).toMatchObject({ status: 'Failed', deliveries: [] });
    expect(run.comment).toContain('more than 50 rows');
    expect(run.comment).toContain('Svc:Query:MaxExecutionRows');
  });

  test('a run does not read a source that is no longer linked to the project', async () => {
    const { id: sourceId } = await fixture.make('/svc/api/projects', { name: 'Another project' });
    const queryId = await fixture.addQuery('select 1 as one');
    await fixture.svc.database.query('update svc.queries set project_id = $2 where id = $1', [
      queryId,
      sourceId,
    ]);
    const recipientIds = [await fixture.addRecipient()];
    const { id } = await fixture.addSubscription({ queryId, recipientIds });
    expect(await fixture.runNow(id)).toMatchObject({
      status: 'Failed',
      comment: "A data source of the query is no longer linked to the query's project.",
    });
  });
});

describe('Timeout', () => {
  const sleepWhile = (table: string) => `select case when is_slow then pg_sleep(60)::text end from ${table}`;

  test('the query is stopped at its limit, and only the first of consecutive timeouts notifies the recipients', async () => {
    await fixture.shop.query('create table pace as select true as is_slow');
    const queryId = await fixture.addQuery(sleepWhile('pace'), { name: 'Slow one' });
    const recipientIds = [await fixture.addRecipient('/slow')];
    const settings = { notificationTrigger: 'OnResultCountChange', timeoutSeconds: 1, showQuery: true };
    const { id } = await fixture.addSubscription({ queryId, recipientIds, ...settings });
    const run = await fixture.runNow(id);
    expect(run).toMatchObject({ status: 'Timeout', resultCount: null, deliveries: [{ state: 'Sent' }] });
    expect(run.comment).toContain('1 s');
    const [body] = bodiesAt('/slow');
    expect(body).toMatchObject({ subscriptionName: 'Slow one', timedOut: true, records: [] });
    expect(body).not.toHaveProperty('totalRecords');
    expect(body).not.toHaveProperty('executionTimeMs');

    expect(await fixture.runNow(id)).toMatchObject({ status: 'Timeout', deliveries: [] });
    expect(bodiesAt('/slow')).toHaveLength(1);

    // A timeout gives no baseline. The next run is the first with a count, and the next timeout notifies again.
    await fixture.shop.query('update pace set is_slow = false');
    expect(await fixture.runNow(id)).toMatchObject({ status: 'Sent', previousResultCount: null });
    await fixture.shop.query('update pace set is_slow = true');
    const next = await fixture.runNow(id);
    expect(next).toMatchObject({ status: 'Timeout', previousResultCount: 1 });
    expect(bodiesAt('/slow').map(({ timedOut }) => timedOut)).toEqual([true, false, true]);
    expect(bodiesAt('/slow')[2]).toMatchObject({ previousResultCount: 1 });
  });

  test('a recipient that the message did not reach is named, and the status stays Timeout', async () => {
    fixture.sink.answers.set('/slow-broken', 500);
    const queryId = await fixture.addQuery('select pg_sleep(60)');
    const broken = await fixture.addRecipient('/slow-broken');
    const { id } = await fixture.addSubscription({ queryId, recipientIds: [broken], timeoutSeconds: 1 });
    const run = await fixture.runNow(id);
    expect(run).toMatchObject({ status: 'Timeout', deliveries: [{ state: 'Failed' }] });
    expect(run.comment).toContain('1 s');
    expect(run.comment).toContain(`Recipient ${broken}:`);
  });
});

describe('runs that send no message', () => {
  test('NoResults: the query returns no rows', async () => {
    const run = await fixture.runNow(await watch('select id from orders where false'));
    expect(run).toMatchObject({ status: 'NoResults', resultCount: 0, deliveries: [] });
  });

  test('BelowThreshold: the query returns fewer rows than the minimum', async () => {
    const run = await fixture.runNow(await watch('select id from orders', { minimumRowCount: 4 }));
    expect(run).toMatchObject({ status: 'BelowThreshold', resultCount: 3, deliveries: [] });
  });

  test('Silenced: the row count is unchanged; a changed count is sent again', async () => {
    await fixture.shop.query('create table stock as select 1 as item');
    const id = await watch('select item from stock', { notificationTrigger: 'OnResultCountChange' });
    expect((await fixture.runNow(id)).status).toBe('Sent');
    expect((await fixture.runNow(id)).status).toBe('Silenced');
    await fixture.shop.query('insert into stock values (2)');
    expect(await fixture.runNow(id)).toMatchObject({
      status: 'Sent',
      previousResultCount: 1,
      resultCount: 2,
    });
  });

  test('Skipped: every recipient awaits approval; the run is recorded and the request refused with the reason', async () => {
    const id = await watch('select 1 as one');
    await fixture.svc.database.query(
      `update svc.recipients set state = 'AwaitingApproval' where id in
         (select recipient_id from svc.subscription_recipients where subscription_id = $1)`,
      [id],
    );
    const config = {
      'Svc:ApprovalWorkflow:Enabled': true,
      'Svc:ApprovalWorkflow:CoversQueries': false,
      'Svc:Jobs:Workers': 0,
    };
    const governed = await startService({ on: fixture.svc, config });
    const root = await signIn(governed, superAdmin);
    const answer = await root.post(`/svc/api/subscriptions/${id}/test-run`);
    await governed.close();
    expect(answer.status).toBe(409);
    expect(answer.body.detail).toContain('Approvals page');
    const { body } = await fixture.root.get(`/svc/api/notifications?subscriptionId=${id}`);
    expect(body.items).toMatchObject([{ status: 'Skipped', comment: answer.body.detail }]);
  });
});
