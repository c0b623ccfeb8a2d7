import { once } from 'node:events';
import { connect } from 'node:net';
import { BusinessRuleError, type ErrorMapping, HttpProblem } from '@svc/server';
import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { setupRequest, superAdmin } from '@svc/testkit/people/people.ts';
import { password } from '@svc/testkit/people/users.ts';
import { logLevel } from '@svc/testkit/service/service.ts';
import { expect } from 'vitest';
import { startSampleHost } from '../support/hosts/sample-host.ts';
import { scenario } from '../support/scenario.ts';

const setup = '/svc/api/setup/superadmin';
const projects = '/svc/api/projects';

scenario(
  ['RT-7-10', 'RT-7-11'],
  'the sample host maps broken rules to 400 with a specific type, and unexpected errors to /errors/internal',
  async ({ onEnd }) => {
    const host = await startSampleHost();
    onEnd(host.close);
    const root = createHttpClient(host.origin);
    const weak = await root.post(setup, { ...setupRequest, password: 'aaaa', confirmPassword: 'aaaa' });
    expect([weak.status, weak.headers.get('content-type'), weak.body]).toEqual([
      400,
      expect.stringMatching(/^application\/problem\+json/),
      expect.objectContaining({ type: '/errors/beacon', status: 400, code: 'weak-password' }),
    ]);
    expect((await root.post(setup, setupRequest)).status).toBe(201);
    expect((await root.post(setup, setupRequest)).body).toMatchObject({
      type: '/errors/invalid-operation',
      status: 400,
      code: 'setup-closed',
    });
    for (const name of ['beacon', 'invalid-operation', 'setting-locked', 'internal', 'weak-password']) {
      const help = await root.get(`/errors/${name}`);
      expect([help.status, help.headers.get('location')]).toEqual([302, `/svc/help/errors#${name}`]);
    }
    const page = await root.get('/svc/help/errors');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await root.get('/errors/nonsense')).status).toBe(404);
    // Bytes that are no valid request get a response of the same shape.
    expect(
      await sendBytes(host.origin, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    ).toEqual([
      expect.stringContaining('HTTP/1.1 431 '),
      expect.objectContaining({ type: '/svc/help/errors#headers-too-large', code: 'headers-too-large' }),
    ]);
    expect(await sendBytes(host.origin, 'nonsense\r\n\r\n')).toEqual([
      expect.stringContaining('HTTP/1.1 400 '),
      expect.objectContaining({ type: '/svc/help/errors#bad-request', status: 400 }),
    ]);
    // Malformed input breaks no business rule. A refusal with another status has its usual status and type.
    expect((await root.post(setup, { setupToken: 7 })).body).toMatchObject({
      type: '/svc/help/errors#invalid-input',
      status: 400,
      code: 'invalid-input',
    });
    const login = { username: superAdmin.userName, password, rememberMe: false };
    expect((await root.post('/svc/api/auth/login', login)).status).toBe(200);
    expect((await root.get(`${projects}/999`)).body).toMatchObject({
      type: '/svc/help/errors#not-found',
      status: 404,
    });

    // No input makes the service fail, so SQL renames a table.
    await host.sql('alter table svc.projects rename to projects_gone');
    const failed = await root.get(projects);
    expect([failed.status, failed.headers.get('content-type'), failed.body]).toEqual([
      500,
      expect.stringMatching(/^application\/problem\+json/),
      {
        type: '/errors/internal',
        title: 'Internal Server Error',
        status: 500,
        code: 'internal',
        detail: expect.any(String),
        traceId: expect.any(String),
      },
    ]);
    expect(failed.text).not.toMatch(/svc\.projects|relation|at \w/);
    const traceId = failed.read<{ traceId: string }>().traceId;
    await expect.poll(host.output).toContain(traceId);
    expect(host.output()).toContain('relation \\"svc.projects\\" does not exist');
    await host.sql('alter table svc.projects_gone rename to projects');
    expect((await root.get(projects)).status).toBe(200);
  },
  { timeout: 120_000 },
);

scenario(
  ['RT-7-12'],
  'an embedding host maps its own errors and rule violations of the service, and a failing mapping returns a generic 500',
  async ({ start }) => {
    class Closed extends Error {}
    const thrown: Readonly<Record<string, () => unknown>> = {
      closed: () => new Closed('We are closed on Sundays'),
      rule: () => new BusinessRuleError('Only on weekdays', { code: 'weekdays' }),
      other: () => new Error('secret of the host'),
      mapping: () => 'mapping',
      shape: () => 'shape',
    };
    const principal = ({ headers }: { headers: Record<string, string | string[] | undefined> }) => {
      const failure = thrown[String(headers['x-fail'])];
      if (failure) throw failure();
      return { id: 'ada', roles: ['Editor'] };
    };
    const errorMapping: ErrorMapping = (error) => {
      if (error === 'mapping') throw new Error('secret of the mapping');
      if (error === 'shape') return { status: 200 } as HttpProblem;
      if (error instanceof Closed)
        return new HttpProblem(503, { type: 'https://host/errors/closed', title: error.message });
      if (error instanceof BusinessRuleError)
        return new HttpProblem(422, { type: 'https://host/errors/rule', code: error.code ?? '' });
      return undefined;
    };
    const off = { 'Svc:UserManagement:Enabled': false };
    const svc = await start(off, { principal, errorMapping });
    const plain = await svc.replica({}, { errorMapping: () => undefined });
    const ask = async (failure: string, on = svc) =>
      (await on.client().get(projects, { headers: { 'x-fail': failure } })).body;
    expect(await ask('closed')).toMatchObject({
      status: 503,
      type: 'https://host/errors/closed',
      title: 'We are closed on Sundays',
    });
    expect(await ask('rule')).toMatchObject({
      status: 422,
      type: 'https://host/errors/rule',
      code: 'weekdays',
    });
    expect(await ask('rule', plain)).toMatchObject({ status: 400, type: 'about:blank', code: 'weekdays' });
    for (const failure of ['other', 'mapping', 'shape']) {
      const answer = await ask(failure);
      expect([failure, answer]).toEqual([
        failure,
        expect.objectContaining({ status: 500, type: '/errors/internal' }),
      ]);
      expect(JSON.stringify(answer)).not.toContain('secret');
    }
    const logged = JSON.stringify(svc.log.filter(({ level }) => level === logLevel.error));
    expect(logged).toContain('secret of the host');
    expect(logged).toContain('secret of the mapping');
    expect(await ask('nothing')).toMatchObject({ items: [] });
    // The host maps violations of the service's own rules as well.
    const query = { name: 'No step', projectId: await newProject(svc.client()), steps: [] };
    const made = await svc.client().post('/svc/api/queries', query);
    const empty = await svc.client().post(`/svc/api/queries/${made.read<{ id: number }>().id}/preview`, {});
    expect(empty.body).toMatchObject({ status: 422, type: 'https://host/errors/rule', code: 'query-empty' });
  },
);

/** Sends bytes over a new connection. Returns the head and the parsed body of the response. */
async function sendBytes(origin: string, bytes: string): Promise<[string, unknown]> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.end(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(parts).toString('utf8').split('\r\n\r\n');
  return [head, JSON.parse(body)];
}

async function newProject(client: ReturnType<typeof createHttpClient>): Promise<number> {
  const answer = await client.post(projects, { name: 'Of the host', description: '' });
  return answer.read<{ projectId: number }>().projectId;
}
