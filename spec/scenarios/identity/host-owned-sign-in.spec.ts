import type { HostMembership, HostPrincipal } from '@svc/server';
import { addProject } from '@svc/testkit/people/projects.ts';
import type { RunningService } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

const settings = {
  'Svc:UserManagement:Enabled': false,
  'Svc:Authentication:ExternalLogin:LoginUrl': 'https://app.example.com/sign-in',
};

/** Reads the principal from a header of the host: an id, then role claims. */
const principal = (request: {
  headers: Record<string, string | string[] | undefined>;
}): HostPrincipal | null => {
  const [id, ...roles] = String(request.headers['x-host-user'] ?? '').split(' ');
  return id ? { id, userName: `${id}@app`, roles } : null;
};

/** Returns a client that sends the header of a user of the host with each request. */
const as = (svc: RunningService, user: string) => {
  const client = svc.client();
  const headers = { 'x-host-user': user };
  return {
    get: (path: string) => client.get(path, { headers }),
    post: (path: string, body?: unknown) => client.post(path, body, { headers }),
    put: (path: string, body?: unknown) => client.put(path, body, { headers }),
    patch: (path: string, body?: unknown) => client.patch(path, body, { headers }),
  };
};

const rights = async (svc: RunningService, user: string) =>
  (await as(svc, user).get('/svc/api/auth/permissions')).read<{
    canRead: boolean;
    canWrite: boolean;
    isAdmin: boolean;
    permissions: string[];
  }>();

scenario(
  ['ID-1-08', 'ID-5.9-02'],
  'a user whom the host has authenticated is signed in with the role of the claim',
  async ({ start }) => {
    const svc = await start(settings, { principal });
    const me = await as(svc, 'ada Editor').get('/svc/api/auth/me');
    expect(me.body).toMatchObject({
      isAuthenticated: true,
      userId: null,
      userName: 'ada@app',
      roles: ['Editor'],
    });
    const levels = async (user: string) => {
      const { canRead, canWrite, isAdmin } = await rights(svc, user);
      return [canRead, canWrite, isAdmin];
    };
    expect(await levels('ada Viewer')).toEqual([true, false, false]);
    expect(await levels('ada Editor')).toEqual([true, true, false]);
    expect(await levels('ada Admin')).toEqual([true, true, true]);
    expect(await levels('ada Owner')).toEqual([false, false, false]);
    expect((await as(svc, '').get('/svc/api/projects')).status).toBe(401);
  },
);

scenario(
  ['ID-5.9-01'],
  'with user management off, the routes for sign-in, setup and users do not exist',
  async ({ start }) => {
    const svc = await start(settings, { principal });
    const admin = as(svc, 'ada Admin');
    const signIn = { username: 'ada', password: 'Correct-horse-7-battery', rememberMe: false };
    expect((await svc.client().post('/svc/api/auth/login', signIn)).status).toBe(404);
    expect((await svc.client().get('/svc/api/setup/status')).status).toBe(404);
    expect((await admin.get('/svc/api/users')).status).toBe(404);
    expect((await svc.client().get('/svc/api/auth/sso')).body).toMatchObject({
      enabled: false,
      localLoginEnabled: false,
      externalLogin: { loginUrl: 'https://app.example.com/sign-in' },
    });
    // The service is healthy without a first administrator.
    expect((await svc.client().get('/svc/api/health')).status).toBe(200);
  },
);

scenario(
  ['ID-5.9-04'],
  'the membership source decides on the members of projects with each request',
  async ({ start }) => {
    const membershipsById = new Map<string, HostMembership[]>();
    const memberships = ({ id }: HostPrincipal) => membershipsById.get(id) ?? [];
    const svc = await start(settings, { principal, memberships });
    const projectId = await addProject(as(svc, 'root Admin') as never, 'Of the host');
    const path = `/svc/api/projects/${projectId}`;
    expect(
      (await as(svc, 'root Admin').put(`${path}/access-mode`, { accessMode: 'Restricted' })).status,
    ).toBe(204);
    const read = async (user: string) => (await as(svc, user).get(path)).status;
    const change = async (user: string) => (await as(svc, user).patch(path, { description: 'New' })).status;
    const listed = async (user: string) =>
      (await as(svc, user).get('/svc/api/projects')).read<{ totalCount: number }>().totalCount;

    expect([await read('bob Editor'), await listed('bob Editor')]).toEqual([404, 0]);
    membershipsById.set('bob', [{ projectId, role: 'Viewer' }]);
    expect([await read('bob Editor'), await listed('bob Editor')]).toEqual([200, 1]);
    expect(await change('bob Editor')).toBe(403);
    membershipsById.set('bob', [{ projectId, role: 'Editor' }]);
    expect(await change('bob Editor')).toBe(200);
    // The global role limits each membership.
    expect(await change('bob Viewer')).toBe(403);
    expect(await read('bob')).toBe(403);
    membershipsById.delete('bob');
    expect([await read('bob Editor'), await listed('bob Editor')]).toEqual([404, 0]);
    expect(await read('eve Editor')).toBe(404);
  },
);

scenario(
  ['ID-5.9-05'],
  'without a user store and a membership source, no project can be restricted',
  async ({ start }) => {
    const svc = await start(settings, { principal });
    const projectId = await addProject(as(svc, 'ada Editor') as never, 'Open to all');
    const closing = await as(svc, 'root Admin').put(`/svc/api/projects/${projectId}/access-mode`, {
      accessMode: 'Restricted',
    });
    expect([closing.status, closing.read<{ code: string }>().code]).toEqual([409, 'no-members']);
    expect((await as(svc, 'bob Viewer').get(`/svc/api/projects/${projectId}`)).status).toBe(200);
  },
);

scenario(
  ['ID-2.6-14', 'ID-5.9-06', 'ID-5.9-07'],
  'role claims with names of permissions grant them only if the settings allow it',
  async ({ start }) => {
    const svc = await start(settings, { principal });
    const honouring = await svc.replica({ 'Svc:Authorization:Roles:HonourHostRoleClaims': true });
    const audit = async (on: RunningService, user: string) =>
      (await as(on, user).get('/svc/api/mcp/audit')).status;
    expect((await rights(svc, 'ada Viewer Auditor')).permissions).toEqual([]);
    expect(await audit(svc, 'ada Viewer Auditor')).toBe(403);
    expect((await rights(svc, 'ada Admin')).permissions).toHaveLength(6);
    expect(await audit(svc, 'ada Admin')).toBe(200);
    expect((await rights(honouring, 'ada Viewer Auditor')).permissions).toEqual(['Auditor']);
    expect(await audit(honouring, 'ada Viewer Auditor')).toBe(200);
    expect((await rights(honouring, 'ada Viewer auditor Everything')).permissions).toEqual([]);
  },
);
