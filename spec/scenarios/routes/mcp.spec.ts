import { bearerSettings, endless, issuer, tokenOf } from '@svc/testkit/people/access-token.ts';
import { addKey, addUser, setUp, signIn } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { addDataSource, startSource } from '@svc/testkit/runs/watch.ts';
import { expect } from 'vitest';
import { callTool, openMcp, sendMcp } from '../support/mcp.ts';
import { scenario } from '../support/scenario.ts';

const documents = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/svc/mcp',
  '/.well-known/mcp/server-card.json',
] as const;
const [resource, resourceOfMcp, card] = documents;
const publicOrigin = 'https://data.example.org';

scenario(
  ['RT-1-06', 'RT-4.2-15', 'RT-4.2-16', 'RT-4.2-17', 'ID-5.7-17'],
  'the public discovery documents name the endpoint, with Execute as the only scope',
  async ({ svc, root }) => {
    const anyone = svc.client();
    for (const path of [resource, resourceOfMcp]) {
      const answer = await anyone.get(path);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        resource: `${svc.origin}/svc/mcp`,
        scopes_supported: ['Execute'],
        bearer_methods_supported: ['header'],
      });
    }
    const { status, body } = await anyone.get(card);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      $schema: expect.stringContaining('server-card'),
      name: expect.stringMatching(/^[\w.-]+\/[\w.-]+$/),
      version: expect.any(String),
      description: expect.any(String),
      remotes: [{ type: 'streamable-http', url: `${svc.origin}/svc/mcp` }],
    });
    // A caller with a credential gets the same card, even with an unknown credential.
    for (const client of [root, svc.client('Bearer sk-sem_unknown')])
      expect(await client.get(card)).toMatchObject({ status, body });
  },
);

scenario(
  ['RT-4.2-21'],
  'before the first administrator exists, only the setup routes and the discovery documents respond',
  async ({ start }) => {
    const client = (await start()).client();
    for (const path of documents) expect([path, (await client.get(path)).status]).toEqual([path, 200]);
    expect((await client.get('/svc/api/setup/status')).status).toBe(200);
    for (const path of ['/svc/api/health', '/svc/api/auth/me', '/svc/api/mcp/settings']) {
      const answer = await client.get(path);
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 302, '/svc/setup']);
    }
    expect((await openMcp(client)).status).toBe(302);
  },
);

scenario(
  ['RT-4.6-04'],
  'with Svc:PublicBaseUrl, the discovery documents and the challenge name the public origin',
  async ({ start }) => {
    const svc = await start({ 'Svc:PublicBaseUrl': publicOrigin, 'Svc:Mcp:AllowedHosts': ['127.0.0.1'] });
    await setUp(svc);
    const client = svc.client();
    for (const path of [resource, resourceOfMcp])
      expect((await client.get(path)).body).toMatchObject({ resource: `${publicOrigin}/svc/mcp` });
    expect((await client.get(card)).body).toMatchObject({ remotes: [{ url: `${publicOrigin}/svc/mcp` }] });
    expect((await openMcp(client)).headers.get('www-authenticate')).toContain(
      `resource_metadata="${publicOrigin}${resourceOfMcp}"`,
    );
  },
);

scenario(
  [
    'ID-1-252',
    'RT-1-05',
    'RT-4.6-01',
    'RT-4.6-02',
    'RT-9-09',
    'ID-5.7-03',
    'ID-5.7-10',
    'ID-5.7-11',
    'RT-4.6-03',
  ],
  'the entire MCP endpoint requires Execute: an Execute key opens it, and a Read key and other callers do not',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Endpoint');
    const program = async (scope: string) =>
      svc.client(`Bearer ${(await addKey(root, { scopes: [scope], projects: [project] })).text}`);
    const opened = await openMcp(await program('Execute'));
    expect(opened.status, opened.text).toBe(200);
    expect(opened.body).toMatchObject({ jsonrpc: '2.0', result: { protocolVersion: '2025-11-25' } });
    const reader = await program('Read');
    for (const method of ['initialize', 'tools/list', 'tools/call', 'resources/list', 'ping']) {
      const refused = await sendMcp(reader, method, {});
      expect(refused.status).toBe(403);
      expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"');
    }
    for (const nobody of [svc.client(), root, svc.client('Bearer sk-sem_unknown')]) {
      const refused = await openMcp(nobody);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toMatch(
        new RegExp(`^Bearer .*resource_metadata="${svc.origin}${resourceOfMcp}"`),
      );
    }
  },
);

scenario(
  ['RT-4.6-05', 'RT-4.6-06', 'ID-7-17', 'ID-7-18'],
  'a single project is used by default, one of several must be named, and an inaccessible one is denied by its id',
  async ({ svc, root, onEnd }) => {
    const [first, second, other] = [
      await addProject(root, 'First'),
      await addProject(root, 'Second'),
      await addProject(root, 'Other'),
    ];
    const source = await startSource();
    onEnd(source.close);
    await addDataSource(root, second, source.connection);
    const program = async (projects: number[]) =>
      svc.client(`Bearer ${(await addKey(root, { scopes: ['Execute'], projects })).text}`);
    const one = await program([first]);
    expect((await callTool(one, 'get_context')).structured).toMatchObject({ project: { id: first } });
    const several = await program([first, second]);
    const unclear = await callTool(several, 'get_context');
    expect([unclear.isError, unclear.text]).toEqual([true, expect.stringContaining('project_id')]);
    const named = await callTool(several, 'query', { project_id: second, sql: 'select 1 as one' });
    expect(named.structured).toMatchObject({ rows: [[1]] });
    expect((await callTool(several, 'get_context', { project_id: other })).text).toBe(
      `Access denied for project ${other}.`,
    );
    await svc.sql('update svc.projects set archived_at = now() where id = $1', [first]);
    expect((await callTool(one, 'get_context')).text).toBe('No projects are available to you.');
  },
);

scenario(
  ['ID-2.6-15', 'ID-5.5-01', 'ID-5.5-17', 'ID-4-27', 'ID-5.7-14'],
  'the caller mapping decides on access tokens at the MCP endpoint, their user decides on REST, and they create no keys',
  async ({ start }) => {
    const svc = await start({
      ...bearerSettings,
      'Svc:Mcp:Callers': {
        Systems: [{ Name: 'robot', ClientId: 'robot', ProjectIds: [1] }],
        Users: { Enabled: true, RequiredRoles: ['Analyst'], DefaultRoleName: 'Editor' },
      },
    });
    const root = await setUp(svc);
    const project = await addProject(root, 'Mapped');
    const as = (claims: Record<string, unknown>) => svc.client(`Bearer ${tokenOf(claims)}`);

    const robot = as({ sub: 'robot', client_id: 'robot' });
    expect((await callTool(robot, 'get_context')).structured).toMatchObject({ project: { id: project } });
    for (const time of ['exp', 'iat'])
      expect((await openMcp(as({ sub: 'robot', client_id: 'robot', [time]: endless }))).status).toBe(401);
    // The token is bound to no user, so REST refuses it.
    expect((await robot.get('/svc/api/projects')).status).toBe(401);

    const analyst = as({ sub: 'ada', preferred_username: 'ada', roles: ['Analyst'] });
    expect((await analyst.get('/svc/api/projects')).status).toBe(401);
    expect((await openMcp(analyst)).status).toBe(200);
    expect((await analyst.get('/svc/api/projects')).status).toBe(200);
    // On REST, a token has no scope: the user's roles decide.
    expect((await analyst.post('/svc/api/projects', { name: 'By a token' })).status).toBe(201);
    for (const [method, path] of [
      ['GET', '/svc/api/api-keys'],
      ['POST', '/svc/api/api-keys'],
      ['DELETE', '/svc/api/api-keys/1'],
      ['GET', '/svc/api/api-keys/admin'],
      ['DELETE', '/svc/api/api-keys/admin/1'],
    ] as const) {
      const body = { name: 'x', scopes: ['Read'], allowedProjectIds: [project] };
      const answer = await analyst.send(method, path, method === 'POST' ? body : undefined);
      expect([path, answer.status]).toEqual([path, 403]);
    }
    const unmapped = as({ sub: 'eve', preferred_username: 'eve' });
    expect((await openMcp(unmapped)).status).toBe(403);
    // REST identifies the user, and the mapping does not: each applies its own rule.
    const eve = { issuer, subject: 'eve', userName: 'eve', roles: ['Editor'] };
    expect((await root.post('/svc/api/users/external', eve)).status).toBe(201);
    expect((await unmapped.get('/svc/api/projects')).status).toBe(200);
    expect((await openMcp(unmapped)).status).toBe(403);
  },
);

scenario(
  ['RT-4.3-55', 'RT-4.3-56', 'RT-4.3-57'],
  'Auditors read MCP settings, SecurityAdmins change them, the playground requires Execute, and the log an Auditor',
  async ({ svc, root }) => {
    const project = await addProject(root, 'Governed');
    const person = async (name: string, role: 'Auditor' | 'SecurityAdmin' | 'Editor') =>
      signIn(svc, await addUser(svc, name, [role]));
    const [auditor, security, editor] = [
      await person('mcp-auditor', 'Auditor'),
      await person('mcp-security', 'SecurityAdmin'),
      await person('mcp-editor', 'Editor'),
    ];
    const settings = '/svc/api/mcp/settings';
    expect([(await auditor.get(settings)).status, (await security.get(settings)).status]).toEqual([200, 200]);
    expect((await editor.get(settings)).status).toBe(403);
    expect((await auditor.put(settings, { maxRows: 500 })).status).toBe(403);
    expect((await security.put(settings, { maxRows: 500 })).status).toBe(200);

    const run = { toolName: 'search_saved_queries', projectId: project };
    const key = async (scope: string) =>
      svc.client(`Bearer ${(await addKey(editor, { scopes: [scope], projects: [project] })).text}`);
    const tools = '/svc/api/mcp/tools/run';
    expect((await (await key('Read')).post(tools, run)).status).toBe(403);
    expect((await (await key('Execute')).post(tools, run)).status).toBe(200);
    expect((await editor.post(tools, run)).status).toBe(200);

    const log = '/svc/api/mcp/audit?event=mcp';
    expect((await security.get(log)).status).toBe(403);
    expect((await auditor.get(log)).read<{ totalCount: number }>().totalCount).toBeGreaterThanOrEqual(2);
  },
);

scenario(
  ['RT-4.6-960', 'RT-4.6-961'],
  'clients read the documentation in parts and the context of a question without row values, only of their projects',
  async ({ svc, root, onEnd }) => {
    const [own, other] = [await addProject(root, 'Documented'), await addProject(root, 'Foreign')];
    const source = await startSource();
    onEnd(source.close);
    await addDataSource(root, own, source.connection);
    const content = Array.from({ length: 2_000 }, (_, at) => `What people know, line ${at}.`).join('\n');
    const notes = await root.put(`/svc/api/projects/${own}/documentation/Notes`, { content });
    expect(notes.status).toBe(200);
    const program = async (project: number) =>
      svc.client(`Bearer ${(await addKey(root, { scopes: ['Execute'], projects: [project] })).text}`);
    const client = await program(own);

    const read = async (offset: number) =>
      (await callTool(client, 'get_documentation', { offset, max_chars: 30_000 })).structured as {
        text: string;
        nextOffset: number | null;
      };
    const first = await read(0);
    expect(first.text.length).toBeLessThanOrEqual(30_000);
    const second = await read(first.nextOffset ?? -1);
    expect(`${first.text}${second.text}`).toBe(`## Notes\n\n${content}`.slice(0, 60_000));
    expect(second.nextOffset).toBe(null);

    await source.sql(
      "create table guests (id int primary key, name text); insert into guests values (1, 'Ada')",
    );
    const context = await callTool(client, 'get_query_context', { question: 'Which guests are there?' });
    expect(context.text).toContain('guests(id integer key, name text)');
    expect(context.text).not.toContain('Ada');

    const stranger = await program(other);
    for (const [name, args] of [
      ['get_documentation', {}],
      ['get_query_context', { question: 'Which guests are there?' }],
    ] as const) {
      const refused = await callTool(stranger, name, { ...args, project_id: own });
      expect([refused.isError, refused.text]).toEqual([true, `Access denied for project ${own}.`]);
    }
  },
);
