import { addKey, addUser, setUp, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const dashboard = { prefix: '/warp' };
const reads = ['/warp', '/warp/jobs', '/warp/api/session', '/warp/api/overview', '/warp/api/jobs'];

scenario(
  ['RT-4.7-02'],
  'the job dashboard is served at /warp only to signed-in Admins, and only if the host enables it',
  async ({ start, svc, root }) => {
    const host = await start({}, { dashboard });
    for (const path of reads) {
      const early = await host.client().get(path);
      expect([path, early.status, early.headers.get('location')]).toEqual([path, 302, '/svc/setup']);
    }
    const admin = await setUp(host);
    const second = await signIn(host, await addUser(host, 'second', ['Admin']));
    const auditor = await signIn(
      host,
      await addUser(host, 'auditor', ['Editor', 'Auditor', 'SecurityAdmin']),
    );
    const key = await addKey(admin, { scopes: ['Execute'], projects: [await addProject(admin, 'Any')] });
    const program = host.client(`Bearer ${key.text}`);
    for (const path of ['/warp/api/session', '/warp/api/overview', '/warp/api/jobs']) {
      expect([(await admin.get(path)).status, (await second.get(path)).status]).toEqual([200, 200]);
      expect((await auditor.get(path)).status).toBe(403);
      expect([401, 403]).toContain((await program.get(path)).status);
      expect((await host.client().get(path)).status).toBe(401);
    }
    const page = await host.client().get('/warp/jobs?state=Failed');
    expect([page.status, page.headers.get('location')]).toEqual([
      302,
      '/svc/login?returnTo=%2Fwarp%2Fjobs%3Fstate%3DFailed',
    ]);
    expect((await auditor.get('/warp')).status).toBe(403);
    expect((await admin.get('/warp/api/nowhere')).body).toMatchObject({
      type: '/svc/help/errors#not-found',
      status: 404,
      code: 'not-found',
    });
    // By default, /warp belongs to the host.
    expect((await root.get('/warp')).text).toBe('The host application');
    expect((await svc.client().get('/warp/api/session')).text).toBe('The host application');
  },
);

scenario(
  ['RT-4.7-02'],
  'a change in the job dashboard needs the antiforgery token and is recorded in the audit with its user',
  async ({ start }) => {
    const host = await start({ 'Svc:Jobs:Workers': 0 }, { dashboard });
    const admin = await setUp(host);
    const [job] = await host.sql<{ id: string }>(
      `insert into svc_jobs.job (id, trace_id, created_at, due_at, state, name, queue)
       values (gen_random_uuid(), gen_random_uuid(), now(), now(), 'Enqueued', 'by hand', 'nobody') returning id`,
    );
    const path = `/warp/api/jobs/${job?.id}/cancel`;
    expect((await admin.post(path, {}, { antiforgery: false })).status).toBe(400);
    expect((await host.client().post(path, {})).status).toBe(401);
    const answer = await admin.post(path, {});
    expect([answer.status, answer.body]).toEqual([200, { id: job?.id, outcome: 'Cancelled' }]);
    const events = await host.sql<{ event: string; actor: string; detail: unknown }>(
      `select e.event, u.user_name as actor, e.detail from svc.audit_events e join svc.users u on u.id = e.actor_user_id
       where e.event like 'jobs.%'`,
    );
    expect(events).toEqual([
      { event: 'jobs.cancelled', actor: 'root', detail: { count: 1, jobIds: [job?.id] } },
    ]);
  },
);
