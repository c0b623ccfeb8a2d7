import type { Email } from '@svc/channels';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { connect } from '@svc/testkit/client/hub-client.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTaskFixture, type TaskFixture } from './testing/task-fixture.ts';

const mails: Email[] = [];
let fixture: TaskFixture;
let ada: HttpClient;
let ben: HttpClient;
let adaId: number;
beforeAll(async () => {
  fixture = await startTaskFixture({
    config: { 'Svc:BaseUrl': 'https://svc.example.org/svc' },
    svc: { email: async (email) => void mails.push(email) },
  });
  ada = await fixture.person('ada', 'Editor');
  ben = await fixture.person('ben', 'Editor');
  adaId = await fixture.userIdOf(ada);
  await fixture.sql(
    `update svc.users set email = user_name || '@example.org', display_name = initcap(user_name)`,
  );
  await fixture.sql(
    `insert into svc.project_members (project_id, user_id, role)
     select $1, id, 'Editor' from svc.users where user_name in ('ada', 'ben')`,
    [fixture.projectId],
  );
  await fixture.root.put(`/svc/api/projects/${fixture.projectId}/access-mode`, { accessMode: 'Restricted' });
});
afterAll(() => fixture.close());

/** Creates an open task that is assigned to Ada and watched by Ben. */
async function followed() {
  const watched = await fixture.watch();
  await watched.runWith(1);
  const { id } = await watched.task();
  const path = `/svc/api/tasks/${id}`;
  await ben.post(`${path}/watch`);
  await fixture.root.post(`${path}/assign`, { assigneeUserId: adaId });
  return { ...watched, taskId: id, path };
}
const toldTo = async (userName: string, taskId: number): Promise<string[]> =>
  (
    await fixture.sql(
      `select n.kind from svc.notices n join svc.users u on u.id = n.user_id
       where u.user_name = $1 and n.subject_kind = 'Task' and n.subject_id = $2 order by n.id`,
      [userName, taskId],
    )
  ).map(({ kind }) => String(kind));
const mailsTo = (userName: string, taskId: number) =>
  mails.filter(({ to, html }) => to === `${userName}@example.org` && html.includes(`/svc/tasks/${taskId}"`));
/** Waits until no mail of a task is in progress, except mails that wait for their time. */
const mailsGone = (taskId: number) =>
  until('the mails', async () => {
    const [row] = await fixture.sql(
      `select count(*)::int as left from svc_jobs.job where name = 'mail-task-notices'
         and (payload->>'taskId')::int = $1 and state not in ('Completed', 'Failed', 'Scheduled')`,
      [taskId],
    );
    return row?.['left'] === 0 ? true : undefined;
  });

describe('notices to assignees and watchers', () => {
  test('report actions of other users and results of runs, not their own actions', async () => {
    const { taskId, path, runWith } = await followed();
    await ada.post(`${path}/comments`, { content: 'Looking.' });
    await ben.post(`${path}/comments`, { content: 'Thanks.' });
    await runWith(3);
    await runWith(3);
    await ada.post(`${path}/priority`, { priority: 'High' });
    await ada.post(`${path}/resolve`, {});
    await ben.post(`${path}/reopen`);
    await runWith(0);
    expect(await toldTo('ada', taskId)).toEqual([
      'TaskAssigned',
      'TaskCommented',
      'TaskCountChanged',
      'TaskReopened',
      'TaskResolved',
    ]);
    expect(await toldTo('ben', taskId)).toEqual([
      'TaskAssigned',
      'TaskCommented',
      'TaskCountChanged',
      'TaskResolved',
      'TaskResolved',
    ]);
    const { body } = await ben.get('/svc/api/notices?sort=id&pageSize=200');
    const texts = body.items.flatMap((notice: { subjectId: number; text: string }) =>
      notice.subjectId === taskId ? [notice.text.replace(/"[^"]+"/, '"Alarms"')] : [],
    );
    expect(texts).toEqual([
      'root assigned the task "Alarms" to Ada.',
      'ada commented on the task "Alarms".',
      'The task "Alarms" has 3 rows now; it had 1.',
      'ada resolved the task "Alarms".',
      'The task "Alarms" is resolved: a run found no rows any more.',
    ]);
  });

  test('are sent to the open pages as an event', async () => {
    const { taskId, path } = await followed();
    const client = await connect(fixture.svc.origin, ada);
    await fixture.root.post(`${path}/comments`, { content: 'Any news?' });
    const heard = await until('the event', async () =>
      client.heard.find(({ event }) => event === 'TaskChanged'),
    );
    expect(heard.payload).toEqual({ taskId, kind: 'Commented' });
    await client.connection.stop();
  });

  test('report the removal of an assignment, and nothing afterwards', async () => {
    const { taskId, path } = await followed();
    const benId = await fixture.userIdOf(ben);
    await fixture.root.post(`${path}/assign`, { assigneeUserId: benId });
    await fixture.root.post(`${path}/comments`, { content: 'Ben has it.' });
    expect(await toldTo('ada', taskId)).toEqual(['TaskAssigned', 'TaskAssigned']);
  });
});

describe('mails about tasks', () => {
  test('the first mail is sent immediately, and changes within ten minutes are sent together later', async () => {
    const { taskId, path } = await followed();
    await until('the first mail', async () => mailsTo('ada', taskId)[0]);
    for (const content of ['One.', 'Two.']) await ben.post(`${path}/comments`, { content });
    await mailsGone(taskId);
    expect(mailsTo('ada', taskId)).toHaveLength(1);
    // Simulates ten minutes.
    await fixture.sql(
      `update svc.notices set mailed_at = mailed_at - interval '11 minutes' where subject_id = $1 and subject_kind = 'Task'`,
      [taskId],
    );
    await fixture.sql(
      `update svc_jobs.job set state = 'Enqueued', due_at = now() where name = 'mail-task-notices' and state = 'Scheduled'
         and (payload->>'taskId')::int = $1`,
      [taskId],
    );
    const [, second] = await until('the second mail', async () =>
      mailsTo('ada', taskId).length === 2 ? mailsTo('ada', taskId) : undefined,
    );
    expect(second?.text.match(/ben commented/g)).toHaveLength(2);
    await mailsGone(taskId);
    expect(mailsTo('ada', taskId)).toHaveLength(2);
  });

  test('a user who can no longer read the project gets no mail, and no other user is notified instead', async () => {
    const watched = await fixture.watch();
    await watched.runWith(1);
    const { id } = await watched.task();
    const path = `/svc/api/tasks/${id}`;
    await fixture.root.post(`${path}/assign`, { assigneeUserId: adaId });
    await until('the first mail', async () => mailsTo('ada', id)[0]);
    await ben.post(`${path}/comments`, { content: 'Before she left.' });
    await mailsGone(id);
    await fixture.sql(`delete from svc.project_members where user_id = $1`, [adaId]);
    try {
      await ben.post(`${path}/comments`, { content: 'After she left.' });
      await fixture.sql(
        `update svc.notices set mailed_at = mailed_at - interval '11 minutes' where subject_id = $1 and subject_kind = 'Task'`,
        [id],
      );
      await fixture.sql(
        `update svc_jobs.job set state = 'Enqueued', due_at = now() where name = 'mail-task-notices' and state = 'Scheduled'
           and (payload->>'taskId')::int = $1`,
        [id],
      );
      await mailsGone(id);
      expect(mailsTo('ada', id)).toHaveLength(1);
      expect(await toldTo('ada', id)).toEqual(['TaskAssigned', 'TaskCommented']);
      expect(await toldTo('root', id)).toEqual(['TaskOpened']);
    } finally {
      await fixture.sql(
        `insert into svc.project_members (project_id, user_id, role) values ($1, $2, 'Editor')`,
        [fixture.projectId, adaId],
      );
    }
  });
});
