import { setupRequest, superAdmin } from '@svc/testkit/people/people.ts';
import { expect } from 'vitest';
import { scenario } from '../support/scenario.ts';

scenario(
  ['ID-4-29', 'ID-2.4-01', 'ID-2.4-02', 'ID-2.4-03'],
  'a new service can be set up without a browser, including an Execute key for a project',
  async ({ start }) => {
    const svc = await start();
    const program = svc.client();
    expect((await program.get('/svc/api/setup/status')).body).toMatchObject({ isOpen: true });
    expect((await program.post('/svc/api/setup/superadmin', setupRequest)).status).toBe(201);
    const credentials = { username: superAdmin.userName, password: superAdmin.password, rememberMe: false };
    expect((await program.post('/svc/api/auth/login', credentials)).status).toBe(200);
    expect((await program.get('/svc/api/auth/me')).body).toMatchObject({ userName: superAdmin.userName });
    const { token } = (await program.get('/svc/api/csrf')).read<{ token: string }>();
    const headers = { 'x-xsrf-token': token };
    const project = await program.post(
      '/svc/api/projects',
      { name: 'Headless', description: 'd' },
      { headers },
    );
    expect([project.status, project.body]).toEqual([
      201,
      expect.objectContaining({ projectId: expect.any(Number) }),
    ]);
    const { projectId } = project.read<{ projectId: number }>();
    const request = { name: 'CI', scopes: ['Execute'], allowedProjectIds: [projectId] };
    const key = await program.post('/svc/api/api-keys', request, { headers });
    expect(key.status, key.text).toBe(201);
    const members = (await program.get(`/svc/api/projects/${projectId}/members`)).body;
    expect(members).toMatchObject({ items: [{ userName: superAdmin.userName, role: 'ProjectAdmin' }] });
    const ci = svc.client(`Bearer ${key.read<{ plainTextKey: string }>().plainTextKey}`);
    expect((await ci.get(`/svc/api/projects/${projectId}`)).status).toBe(200);
  },
);
