import type { Email } from '@svc/channels';
import { createJobs, type Jobs } from '@svc/jobs';
import { signIn } from '@svc/testkit/people/people.ts';
import { createUser } from '@svc/testkit/people/users.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase } from '../../platform/db/index.ts';
import { createWatchdog, type Watchdog } from '../missed-runs/index.ts';
import { projectRights } from '../projects/index.ts';
import { createNoticesService } from './index.ts';

const mails: Email[] = [];
/** Promise that every mail awaits. A test replaces it to make a change while a mail is in progress. */
let gate: Promise<void> = Promise.resolve();
let fixture: RunFixture;
beforeAll(async () => {
  fixture = await startRunFixture({
    // One worker, so that a mail waits for earlier mails.
    config: { 'Svc:Jobs:Workers': 1 },
    svc: {
      email: async (email) => {
        mails.push(email);
        await gate;
      },
    },
  });
});
afterAll(() => fixture.close());

const sql = async (statement: string, values: unknown[] = []) =>
  (await fixture.svc.database.query(statement, values)).rows;
let count = 0;

type Role = Parameters<typeof createUser>[2];

/** Adds a user with an address. With `project`, the user is a member in that role. */
async function addUser(name: string, role: Role, project?: { id: number; role: string }): Promise<number> {
  const userName = `${name}-${count}`;
  const id = await createUser(fixture.svc.database, userName, role);
  await sql('update svc.users set email = $2 where id = $1', [id, `${userName}@example.org`]);
  if (project)
    await sql('insert into svc.project_members (project_id, user_id, role) values ($1, $2, $3)', [
      project.id,
      id,
      project.role,
    ]);
  return id;
}

/**
 * Creates a restricted project with administrators, one of them disabled, and with other members. It contains a
 * subscription with a failing query. The owner of the subscription may read the project.
 */
async function failing() {
  count += 1;
  const { id: projectId } = await fixture.make('/svc/api/projects', { name: `Project ${count}` });
  await fixture.root.post(`/svc/api/projects/${projectId}/data-sources`, { dataSourceId: fixture.sourceId });
  const queryId = await fixture.addQuery(`select * from nowhere_${count}`, { projectId });
  const recipientIds = [await fixture.addRecipient()];
  const { id } = await fixture.addSubscription({ queryId, recipientIds, notificationTrigger: 'Always' });
  await sql(`update svc.projects set access_mode = 'Restricted' where id = $1`, [projectId]);
  await sql(`delete from svc.project_members where project_id = $1`, [projectId]);
  const admin = { id: projectId, role: 'ProjectAdmin' };
  const administrators = [await addUser('lead', 'Editor', admin), await addUser('second', 'Viewer', admin)];
  const disabled = await addUser('gone', 'Editor', admin);
  await sql('update svc.users set is_enabled = false where id = $1', [disabled]);
  // Has no role, so the membership gives no right to read.
  await addUser('without-role', [], admin);
  await addUser('writer', 'Editor', { id: projectId, role: 'Editor' });
  const owner = await addUser('owner', 'Editor', { id: projectId, role: 'Editor' });
  await sql('update svc.subscriptions set owner_user_id = $2 where id = $1', [id, owner]);
  return { id, projectId, owner, administrators };
}

const notifiedUsers = async (subscriptionId: number, kind: string): Promise<number[]> =>
  (
    await sql('select user_id from svc.notices where subject_id = $1 and kind = $2 order by id', [
      subscriptionId,
      kind,
    ])
  ).map(({ user_id }) => user_id);
const mailsTo = (name: string) => mails.filter(({ to }) => to === `${name}-${count}@example.org`);
const rootId = async (): Promise<number> => (await fixture.root.get('/svc/api/auth/me')).body.userId;

/** Reasons why an owner cannot be notified. Each statement takes the ids of the subscription and of its owner. */
const unusable: [string, string][] = [
  ['is disabled', 'update svc.users set is_enabled = false where id = $2 and $1 > 0'],
  ['is archived', 'update svc.users set archived_at = now() where id = $2 and $1 > 0'],
  ['is unset', 'update svc.subscriptions set owner_user_id = null where id = $1 and $2 > 0'],
  ['may not read the project', 'delete from svc.project_members where user_id = $2 and $1 > 0'],
  ['has no roles', 'delete from svc.user_roles where user_id = $2 and $1 > 0'],
];

describe('notices about a failed run', () => {
  test('go to the owner only', async () => {
    const { id, owner } = await failing();
    await fixture.runNow(id);
    expect(await notifiedUsers(id, 'RunFailed')).toEqual([owner]);
    const [mail] = await until('the mail', async () =>
      mailsTo('owner').length ? mailsTo('owner') : undefined,
    );
    expect(mail?.text).not.toContain('no owner');
  });

  test.each(unusable)('go to the administrators of the project if the owner %s', async (_what, change) => {
    const { id, owner, administrators } = await failing();
    await sql(change, [id, owner]);
    await fixture.runNow(id);
    expect(await notifiedUsers(id, 'RunFailed')).toEqual(administrators);
    const [mail] = await until('the mail', async () =>
      mailsTo('lead').length ? mailsTo('lead') : undefined,
    );
    expect(mail?.text).toContain('no owner who can read it');
    expect(mailsTo('owner')).toEqual([]);
  });

  test('go to the Admins if the project has no administrator who can be notified', async () => {
    const { id, projectId, owner } = await failing();
    const admin = await addUser('admin', 'Admin');
    const disabled = await addUser('no-admin', 'Admin');
    await sql('update svc.users set is_enabled = false where id = any($1)', [[owner, disabled]]);
    await sql(`delete from svc.project_members where project_id = $1 and role = 'ProjectAdmin'`, [projectId]);
    await fixture.runNow(id);
    expect(await notifiedUsers(id, 'RunFailed')).toEqual([await rootId(), admin]);
    await sql('update svc.users set is_enabled = false where id = $1', [admin]);
  });

  test('are sent once per user, also to users who replace a notified user', async () => {
    const { id, owner, administrators } = await failing();
    await fixture.runNow(id);
    await fixture.runNow(id);
    expect(await notifiedUsers(id, 'RunFailed')).toEqual([owner]);
    await sql('update svc.users set is_enabled = false where id = $1', [owner]);
    await fixture.runNow(id);
    await fixture.runNow(id);
    expect(await notifiedUsers(id, 'RunFailed')).toEqual([owner, ...administrators]);
  });
});

describe('notices about runs that did not start', () => {
  let jobs: Jobs;
  let watchdog: Watchdog;
  beforeAll(() => {
    const database = createDatabase(fixture.svc.database);
    const log = pino({ level: 'silent' });
    jobs = createJobs({ connection: fixture.svc.testDatabase.connection, queues: {} });
    const { tellResponsible } = createNoticesService({
      database,
      log,
      rights: projectRights,
      jobs,
      send: { toPerson: async () => undefined },
      hasMail: false,
      noticesCreated: async () => undefined,
      baseUrl: async () => undefined,
    });
    watchdog = createWatchdog({ database, log, tellResponsible, graceSeconds: 300 });
  });
  afterAll(() => jobs.stop());

  /** Makes the watchdog check due times of the last two years without a run. */
  const check = async (id: number) => {
    await sql(
      `update svc.subscriptions set watch_due_at = date_trunc('day', now()) - interval '2 years' where id = $1`,
      [id],
    );
    await watchdog.check(new AbortController().signal);
  };

  test('go to the owner only', async () => {
    const { id, owner } = await failing();
    await check(id);
    expect(await notifiedUsers(id, 'RunMissed')).toEqual([owner]);
  });

  test.each(unusable)('go to the administrators of the project if the owner %s', async (_what, change) => {
    const { id, owner, administrators } = await failing();
    await sql(change, [id, owner]);
    await check(id);
    expect(await notifiedUsers(id, 'RunMissed')).toEqual(administrators);
  });
});

test('notices about a destination that no longer exists go to the project administrators if the subscription has no owner', async () => {
  const { projectId, owner, administrators } = await failing();
  const queryId = await fixture.addQuery('select id from orders', { projectId });
  const recipientIds = [await fixture.addRecipient('/gone')];
  fixture.sink.answers.set('/gone', 410);
  const { id } = await fixture.addSubscription({ queryId, recipientIds, notificationTrigger: 'Always' });
  await sql('update svc.subscriptions set owner_user_id = null where id = $1 and $2 > 0', [id, owner]);
  await fixture.runNow(id);
  expect(await notifiedUsers(id, 'RecipientGone')).toEqual(administrators);
});

describe('a queued mail', () => {
  /** Fails the run of a subscription while mails are blocked, applies a change and releases the mails. */
  async function changedWhileWaiting(
    change: (fixture: Awaited<ReturnType<typeof failing>>) => Promise<unknown>,
  ) {
    const first = await failing();
    let open: () => void = () => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    await fixture.runNow(first.id);
    await until('the mail before', async () => (mailsTo('owner').length ? true : undefined));
    const second = await failing();
    await fixture.runNow(second.id);
    expect(await notifiedUsers(second.id, 'RunFailed')).toEqual([second.owner]);
    await change(second);
    open();
    return second;
  }

  test.each(unusable.filter(([what]) => what !== 'is unset'))(
    'is sent to the users who are responsible for the subscription now if the owner %s',
    async (_what, change) => {
      const { id, administrators, owner } = await changedWhileWaiting((at) => sql(change, [at.id, at.owner]));
      await until('the mails in its place', async () =>
        mailsTo('lead').length + mailsTo('second').length === 2 ? true : undefined,
      );
      expect(mailsTo('owner')).toEqual([]);
      expect(await notifiedUsers(id, 'RunFailed')).toEqual([owner, ...administrators]);
    },
  );

  test('and its notice are not visible to an owner who can no longer read the project', async () => {
    const at = await changedWhileWaiting(({ owner }) =>
      sql('delete from svc.project_members where user_id = $1', [owner]),
    );
    await until('the mails in its place', async () => (mailsTo('lead').length ? true : undefined));
    const [user] = await sql('select user_name from svc.users where id = $1', [at.owner]);
    const owner = await signIn(fixture.svc, user?.user_name);
    expect((await owner.get('/svc/api/notices')).body).toMatchObject({ items: [], unreadCount: 0 });
    expect(mailsTo('owner')).toEqual([]);
  });

  test('is sent to the owner if nothing has changed', async () => {
    await changedWhileWaiting(async () => undefined);
    await until('the mail', async () => (mailsTo('owner').length ? true : undefined));
    expect(mailsTo('lead')).toEqual([]);
  });
});
