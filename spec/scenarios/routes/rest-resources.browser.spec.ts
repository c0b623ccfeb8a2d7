import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { password } from '@svc/testkit/people/users.ts';
import { approve } from '@svc/testkit/runs/approve.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { expect } from 'vitest';
import { inBrowser, lookAt, withPages } from '../support/pages/pages.ts';
import { scenario } from '../support/scenario.ts';

type Id = { id: number };
const users = '/svc/api/users';
const own = '/svc/api/user-settings';
const admin = '/svc/api/admin-settings';
const keys = '/svc/api/api-keys';

const made = async (client: HttpClient, path: string, body: unknown): Promise<number> => {
  const answer = await client.post(path, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.read<Id>().id;
};

scenario(
  ['RT-2-14'],
  'users, own settings, admin settings and keys can be created, read, changed and ended over REST',
  async ({ svc, root }) => {
    // Create, list, read and change a user, and assign roles.
    const first = 'First-password-of-grace-7';
    const input = { userName: 'grace', displayName: 'Grace', email: 'grace@example.org', password: first };
    const id = await made(root, `${users}/internal`, { ...input, roles: ['Viewer'] });
    expect((await root.get(`${users}?search=grace`)).body).toMatchObject({ items: [{ id }], totalCount: 1 });
    const renamed = { userName: 'grace', displayName: 'Grace H.', isEnabled: true };
    expect((await root.put(`${users}/${id}`, renamed)).status).toBeLessThan(300);
    expect((await root.put(`${users}/${id}/roles`, { roles: ['Editor'] })).status).toBeLessThan(300);
    expect((await root.get(`${users}/${id}`)).body).toMatchObject({
      displayName: 'Grace H.',
      roles: ['Editor'],
      isEnabled: true,
    });

    // Own settings: change the password that an administrator set, and end an own session.
    const grace = await signIn(svc, { userName: 'grace', password: first });
    expect((await grace.get(own)).body).toMatchObject({ userId: id, mustChangePassword: true });
    const change = { currentPassword: first, newPassword: password };
    expect((await grace.post(`${own}/change-password`, change)).status).toBe(204);
    expect((await grace.get(own)).body).toMatchObject({ displayName: 'Grace H.', mustChangePassword: false });
    const elsewhere = await signIn(svc, { userName: 'grace', password });
    const sessions = async () =>
      (await grace.get(`${own}/sessions`)).read<{ items: (Id & { isCurrent: boolean })[] }>().items;
    const other = (await sessions()).find(({ isCurrent }) => !isCurrent);
    expect((await grace.delete(`${own}/sessions/${other?.id}`)).status).toBe(204);
    expect((await elsewhere.get(own)).status).toBe(401);
    expect(await sessions()).toHaveLength(1);

    // API keys: create, list and use; revoke by the owner and by an administrator.
    const project = await addProject(grace, 'Of Grace');
    const wanted = { name: 'CI', scopes: ['Read'], allowedProjectIds: [project] };
    const answer = await grace.post(keys, wanted);
    const key = answer.read<Id & { plainTextKey: string }>();
    expect([answer.status, key.plainTextKey.startsWith('sk-sem_')]).toEqual([201, true]);
    const program = svc.client(`Bearer ${key.plainTextKey}`);
    expect((await program.get(`/svc/api/projects/${project}`)).status).toBe(200);
    expect((await grace.get(keys)).body).toMatchObject({ items: [{ id: key.id, name: 'CI' }] });
    expect((await root.get(`${keys}/admin?userId=${id}`)).body).toMatchObject({
      items: [{ id: key.id, canRevoke: true }],
    });
    expect((await grace.delete(`${keys}/${key.id}`)).status).toBe(204);
    expect((await program.get(`/svc/api/projects/${project}`)).status).toBe(401);
    const second = (await grace.post(keys, wanted)).read<Id>().id;
    expect((await root.delete(`${keys}/admin/${second}`)).status).toBe(204);

    // Change and read admin settings with their history.
    expect((await root.put(admin, { defaultTimeZone: 'Europe/Zagreb' })).status).toBe(200);
    expect((await root.get(admin)).body).toMatchObject({
      settings: { defaultTimeZone: { value: 'Europe/Zagreb' } },
      history: [{ setting: 'defaultTimeZone', newValue: 'Europe/Zagreb' }],
    });
    expect((await root.put(admin, { defaultTimeZone: null })).status).toBe(200);

    // Disable, enable and archive the user.
    for (const isEnabled of [false, true]) {
      expect((await root.post(`${users}/${id}/toggle-enabled`)).status).toBeLessThan(300);
      expect((await root.get(`${users}/${id}`)).body).toMatchObject({ isEnabled });
    }
    expect((await root.delete(`${users}/${id}`)).status).toBeLessThan(300);
    expect((await svc.client().post('/svc/api/auth/login', { username: 'grace', password })).status).toBe(
      401,
    );
  },
);

scenario(
  ['ID-1-01'],
  'REST alone leads from a new service to a delivered result, its approval, its history and the audit',
  async ({ deliver }) => {
    const fixture = await deliver({
      'Svc:ApprovalWorkflow:Enabled': true,
      'Svc:ApprovalWorkflow:CoversQueries': false,
    });
    const { root, svc, source, projectId } = fixture;
    await source.sql('create table orders (id int, state text)');
    await source.sql("insert into orders values (1, 'late'), (2, 'late'), (3, 'sent')");
    const query = await fixture.addQuery("select id from orders where state = 'late'", 'Late orders');
    const shown = await root.post(`/svc/api/queries/${query}/preview`, {});
    expect(shown.status).toBe(200);
    const recipient = await addRecipient(root, {
      notificationType: 'Webhook',
      destination: `${fixture.sink.url}/hook`,
    });
    const approver = { userName: 'approver', displayName: 'A', email: 'a@example.org', password };
    await made(root, `${users}/internal`, { ...approver, roles: ['Approver', 'Viewer'] });
    const second = await signIn(svc, { userName: 'approver', password });
    const fresh = 'Another-password-of-theirs-7';
    const change = { currentPassword: password, newPassword: fresh };
    expect((await second.post(`${own}/change-password`, change)).status).toBe(204);
    expect((await approve(second, recipient)).status).toBeLessThan(300);
    const subscription = await addSubscription(root, { queryId: query, recipientIds: [recipient] });
    const run = await runNow(root, subscription);
    expect(run).toMatchObject({ status: 'Sent', resultCount: 2 });
    expect(fixture.sink.received).toHaveLength(1);
    const history = (await root.get(`/svc/api/notifications?projectId=${projectId}`)).read<{ items: Id[] }>();
    expect(history.items.map(({ id }) => id)).toContain(run.id);
    const audit = (await root.get('/svc/api/mcp/audit?pageSize=200')).read<{ items: { event: string }[] }>();
    expect(audit.items.map(({ event }) => event)).toContain('users.created');
  },
);

scenario(
  ['ID-1-01'],
  'the pages request only described REST routes',
  async ({ start }) => {
    const svc = await start({}, withPages());
    const root = await setUp(svc);
    await addProject(root, 'Shown');
    const document = (await root.get('/openapi/v1.json')).read<{
      paths: Record<string, Record<string, unknown>>;
    }>();
    const described = Object.entries(document.paths).map(([path, methods]) => ({
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      methods: Object.keys(methods).map((name) => name.toUpperCase()),
    }));
    const isDescribed = (method: string, path: string) =>
      described.some(({ pattern, methods }) => pattern.test(path) && methods.includes(method));
    const pages = ['home', 'control-tower', 'projects', 'projects/new', 'projects/1', 'data-sources'];
    pages.push('queries', 'queries/new', 'subscriptions', 'notifications', 'recipients', 'approvals');
    pages.push('users', 'api-keys', 'audit', 'settings', 'admin-settings', 'mcp-settings', 'about');
    const asked = new Set<string>();
    await lookAt(svc.origin, root, async (page) => {
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        // The pages fetch their code before they import it.
        const isCode = pathname.startsWith('/svc/assets/');
        if (['fetch', 'xhr'].includes(request.resourceType()) && !isCode)
          asked.add(`${request.method()} ${pathname}`);
      });
      for (const path of pages) {
        await page.goto(`/svc/${path}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
      }
    });
    expect(asked.size).toBeGreaterThan(10);
    const beside = [...asked].filter((request) => {
      const [method = '', path = ''] = request.split(' ');
      return !isDescribed(method, path);
    });
    expect(beside).toEqual([]);
  },
  inBrowser,
);
