import type { Email } from '@svc/channels';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunWorld, startRunWorld, until } from '../../../../../tools/test/run-world.ts';

const mails: Email[] = [];
let world: RunWorld;
beforeAll(async () => {
  world = await startRunWorld({
    config: {
      'Svc:Subscriptions:MinimumIntervalSeconds': 1,
      'Svc:BaseUrl': 'https://svc.example.org/svc',
    },
    svc: { email: async (email) => void mails.push(email) },
  });
  await world.svc.database.query(`update svc.users set email = 'root@example.org'`);
});
afterAll(() => world.close());

type Notice = { id: number; kind: string; text: string; subjectId: number; readAt: string | null };
const noticesOf = async (subscriptionId: number): Promise<Notice[]> => {
  const { body } = await world.root.get('/svc/api/notices?pageSize=200');
  return body.items.filter((notice: Notice) => notice.subjectId === subscriptionId);
};
const subscribe = async (sql: string, more: Readonly<Record<string, unknown>> = {}) => {
  const queryId = await world.addQuery(sql);
  const recipientIds = [await world.addRecipient()];
  return (await world.addSubscription({ queryId, recipientIds, notificationTrigger: 'Always', ...more })).id;
};

describe('the owner is told', () => {
  test('once of a query that fails before anything is sent, here and by mail', async () => {
    const id = await subscribe('select * from nowhere');
    const run = await world.runNow(id);
    expect(run).toMatchObject({ status: 'Failed', deliveries: [] });
    await world.runNow(id);
    const [notice, ...more] = await noticesOf(id);
    expect(more).toEqual([]);
    expect(notice).toMatchObject({ kind: 'RunFailed', notificationId: run.id, readAt: null });
    expect(notice?.text).toContain('step 1');
    const mail = await until('the mail', async () => mails.find(({ text }) => text.includes('step 1')));
    expect(mail).toMatchObject({ to: 'root@example.org', subject: expect.stringMatching(/^\[Svc\] Query/) });
    expect(mail.html).toContain(`https://svc.example.org/svc/notifications/${run.id}`);
    expect(`${mail.html}${mail.text}`).not.toContain('nowhere');
  });

  test('of a subscription that is stopped because its query can never run again', async () => {
    const { id: projectId } = await world.make('/svc/api/projects', { name: 'To be archived' });
    await world.root.post(`/svc/api/projects/${projectId}/data-sources`, { dataSourceId: world.sourceId });
    const queryId = await world.addQuery('select 1 as one', { projectId });
    const recipientIds = [await world.addRecipient('/stopped')];
    const { id } = await world.addSubscription({ queryId, recipientIds, cronExpression: '* * * * * *' });
    await world.svc.database.query('update svc.projects set archived_at = now() where id = $1', [projectId]);
    const row = await until('the stop', async () => {
      const { rows } = await world.svc.database.query(
        'select stopped_reason from svc.subscriptions where id = $1 and archived_at is not null',
        [id],
      );
      return rows[0];
    });
    expect(row.stopped_reason).toBe('QueryGone');
    const { rows } = await world.svc.database.query(
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
  test('are read one by one or all at once, and are nobody else’s', async () => {
    const id = await subscribe('select * from nowhere_else');
    await world.runNow(id);
    const [notice] = await noticesOf(id);
    const other = await world.person('other', 'Editor');
    expect((await other.get('/svc/api/notices')).body).toMatchObject({ items: [], unreadCount: 0 });
    expect((await other.post(`/svc/api/notices/${notice?.id}/read`)).status).toBe(404);
    expect((await world.root.post(`/svc/api/notices/${notice?.id}/read`)).status).toBe(204);
    expect((await noticesOf(id))[0]?.readAt).not.toBeNull();
    expect((await world.root.post('/svc/api/notices/read-all')).status).toBe(204);
    expect((await world.root.get('/svc/api/notices?isUnread=true')).body).toMatchObject({
      items: [],
      unreadCount: 0,
    });
  });

  test('about a project that is out of reach meanwhile are left out', async () => {
    const owner = await world.person('owner', 'Editor');
    const id = await subscribe('select * from nowhere_at_all');
    const me = (await owner.get('/svc/api/auth/me')).body.userId;
    await world.root.put(`/svc/api/subscriptions/${id}/owner`, { userId: me });
    await world.runNow(id);
    expect((await owner.get('/svc/api/notices')).body.totalCount).toBe(1);
    await world.root.put(`/svc/api/projects/${world.projectId}/access-mode`, { accessMode: 'Restricted' });
    expect((await owner.get('/svc/api/notices')).body.totalCount).toBe(0);
  });
});
