import type { Email } from '@svc/channels';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const mails: Email[] = [];
let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({
    config: {
      'Svc:Subscriptions:MinimumIntervalSeconds': 1,
      'Svc:BaseUrl': 'https://svc.example.org/svc',
    },
    svc: { email: async (email) => void mails.push(email) },
  });
  await fixture.svc.database.query(`update svc.users set email = 'root@example.org'`);
});
afterAll(() => fixture.close());

type Notice = { id: number; kind: string; text: string; subjectId: number; readAt: string | null };
const noticesOf = async (subscriptionId: number): Promise<Notice[]> => {
  const { body } = await fixture.root.get('/svc/api/notices?pageSize=200');
  return body.items.filter((notice: Notice) => notice.subjectId === subscriptionId);
};
const subscribe = async (sql: string, more: Readonly<Record<string, unknown>> = {}) => {
  const queryId = await fixture.addQuery(sql);
  const recipientIds = [await fixture.addRecipient()];
  return (await fixture.addSubscription({ queryId, recipientIds, notificationTrigger: 'Always', ...more }))
    .id;
};

describe('the owner of a subscription is notified', () => {
  test('once of a query that fails before any message is sent, in the pages and by mail', async () => {
    const id = await subscribe('select * from nowhere');
    const run = await fixture.runNow(id);
    expect(run).toMatchObject({ status: 'Failed', deliveries: [] });
    await fixture.runNow(id);
    const [notice, ...more] = await noticesOf(id);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ kind: 'RunFailed', notificationId: run.id, readAt: null });
    expect(notice?.text).toContain('step 1');
    const mail = await until('the mail', async () => mails.find(({ text }) => text.includes('step 1')));
    expect(mail).toMatchObject({ to: 'root@example.org', subject: expect.stringMatching(/^\[Svc\] Query/) });
    expect(mail.html).toContain(`https://svc.example.org/svc/notifications/${run.id}`);
    const message = 'The query failed in step 1, line 1, column 15: relation "nowhere" does not exist';
    expect(mail.text).toContain(message);
  });

  test('only in the pages of a kind of notice for which mail is switched off', async () => {
    const settings = '/svc/api/user-settings';
    const mailOf = (run: { readonly id: unknown }) =>
      mails.find(({ html }) => html.includes(`/notifications/${run.id}`));
    const silent = await subscribe('select * from nowhere_unmailed');
    await fixture.root.patch(settings, { unmailedNoticeKinds: ['RunFailed'] });
    const unmailed = await fixture.runNow(silent);
    expect(await noticesOf(silent)).toMatchObject([{ kind: 'RunFailed' }]);
    await until('the end of its job', async () => {
      const { rows } = await fixture.svc.database.query(
        "select from svc_jobs.job where name = 'mail-notice' and finished_at is null",
      );
      return rows.length === 0 ? true : undefined;
    });
    await fixture.root.patch(settings, { unmailedNoticeKinds: [] });
    const mailed = await fixture.runNow(await subscribe('select * from nowhere_mailed'));
    await until('the mail', async () => mailOf(mailed));
    expect(mailOf(unmailed)).toBeUndefined();
  });

  test('of a subscription that is stopped because its query can never run again', async () => {
    const { id: projectId } = await fixture.make('/svc/api/projects', { name: 'To be archived' });
    await fixture.root.post(`/svc/api/projects/${projectId}/data-sources`, {
      dataSourceId: fixture.sourceId,
    });
    const queryId = await fixture.addQuery('select 1 as one', { projectId });
    const recipientIds = [await fixture.addRecipient('/stopped')];
    const { id } = await fixture.addSubscription({ queryId, recipientIds, cronExpression: '* * * * * *' });
    await fixture.svc.database.query('update svc.projects set archived_at = now() where id = $1', [
      projectId,
    ]);
    const row = await until('the stop', async () => {
      const { rows } = await fixture.svc.database.query(
        'select stopped_reason from svc.subscriptions where id = $1 and archived_at is not null',
        [id],
      );
      return rows[0];
    });
    expect(row.stopped_reason).toBe('QueryGone');
    const { rows } = await fixture.svc.database.query(
      `select (select count(*) from svc_jobs.schedule where key = $2)::int as schedules,
         (select json_agg(json_build_object('status', status, 'reason', reason)) from svc.runs where subscription_id = $1) as runs,
         (select json_agg(kind) from svc.notices where subject_kind = 'Subscription' and subject_id = $1) as notices`,
      [id, `subscription:${id}`],
    );
    expect(rows[0]).toMatchObject({ schedules: 0, notices: ['SubscriptionStopped'] });
    const failed = rows[0].runs.filter((run: { status: string }) => run.status === 'Failed');
    expect(failed).toEqual([{ status: 'Failed', reason: 'QueryGone' }]);
  });
});

describe('notices', () => {
  test('are marked as read one by one or all together, and are not visible to another user', async () => {
    const id = await subscribe('select * from nowhere_else');
    await fixture.runNow(id);
    const [notice] = await noticesOf(id);
    const other = await fixture.person('other', 'Editor');
    expect((await other.get('/svc/api/notices')).body).toMatchObject({ items: [], unreadCount: 0 });
    expect((await other.post(`/svc/api/notices/${notice?.id}/read`)).status).toBe(404);
    expect((await fixture.root.post(`/svc/api/notices/${notice?.id}/read`)).status).toBe(204);
    expect((await noticesOf(id))[0]?.readAt).not.toBeNull();
    expect((await fixture.root.post('/svc/api/notices/read-all')).status).toBe(204);
    expect((await fixture.root.get('/svc/api/notices?isUnread=true')).body).toMatchObject({
      items: [],
      unreadCount: 0,
    });
  });

  test('about a project that the user can no longer read are omitted', async () => {
    const owner = await fixture.person('owner', 'Editor');
    const id = await subscribe('select * from nowhere_at_all');
    const me = (await owner.get('/svc/api/auth/me')).body.userId;
    await fixture.root.put(`/svc/api/subscriptions/${id}/owner`, { userId: me });
    await fixture.runNow(id);
    expect((await owner.get('/svc/api/notices')).body.totalCount).toBe(1);
    await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, {
      accessMode: 'Restricted',
    });
    expect((await owner.get('/svc/api/notices')).body.totalCount).toBe(0);
  });
});
