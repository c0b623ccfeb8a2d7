import { createHttpClient, type HttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { addProject } from '@svc/testkit/people/projects.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createExecuteConsent, type ExecuteConsent } from './consent.ts';

const log = pino({ level: 'silent' });
const owner = { userId: 1, userName: 'ada', apiKeyId: 7 };

describe('the consent of the application', () => {
  test('is requested once for simultaneous calls, and again after five seconds', async () => {
    let nowMs = 0;
    let asked = 0;
    const ask: ExecuteConsent = async () => {
      asked += 1;
      return asked === 1 ? true : { refusal: 'Not today.' };
    };
    const consent = createExecuteConsent(ask, { log, nowMs: () => nowMs });
    expect(await Promise.all([consent(owner), consent(owner)])).toEqual([true, true]);
    nowMs = 4_999;
    expect(await consent(owner)).toBe(true);
    expect(asked).toBe(1);
    nowMs = 5_000;
    expect(await consent(owner)).toEqual({ refusal: 'Not today.' });
    expect(await consent({ ...owner, apiKeyId: 8 })).toEqual({ refusal: 'Not today.' });
    expect(asked).toBe(3);
  });

  const failures: Record<string, () => unknown> = {
    'a function that throws': () => {
      throw new Error('away');
    },
    'a promise that is rejected': () => Promise.reject(new Error('away')),
    false: () => false,
    undefined: () => undefined,
    'a blank refusal': () => ({ refusal: ' ' }),
  };
  test.each(Object.entries(failures))(
    '%s refuses execution, and the next call requests consent again',
    async (_name, fail) => {
      let isMended = false;
      const consent = createExecuteConsent(((): unknown => (isMended ? true : fail())) as ExecuteConsent, {
        log,
      });
      expect(await consent(owner)).toEqual({ refusal: expect.stringContaining('cannot be determined') });
      isMended = true;
      expect(await consent(owner)).toBe(true);
    },
  );
});

test.each([
  [false, 1],
  [true, 0],
])(
  'with user management set to %j, the start logs %i warnings that consent has no effect',
  async (isEnabled, warnings) => {
    const svc = await startService({
      config: { 'Svc:UserManagement:Enabled': isEnabled },
      svc: { mayKeyExecute: () => true },
    });
    await svc.close();
    expect(svc.log.filter(({ msg }) => msg.startsWith('mayKeyExecute has no effect'))).toHaveLength(warnings);
  },
);

describe('a key with Execute in an application that controls consent', () => {
  let svc: RunningService;
  let root: HttpClient;
  let project: number;
  let program: HttpClient;
  let reason: string | undefined;

  beforeAll(async () => {
    svc = await startService({
      svc: { mayKeyExecute: () => (reason === undefined ? true : { refusal: reason }) },
    });
    root = await setUp(svc);
    project = await addProject(root, 'Consented');
  });
  afterAll(() => svc.close());

  const makeKey = async (): Promise<HttpClient> => {
    const { body } = await root.post('/svc/api/api-keys', {
      name: 'program',
      scopes: ['Read', 'Execute'],
      allowedProjectIds: [project],
    });
    return createHttpClient(svc.origin, `Bearer ${body.plainTextKey}`);
  };
  const change = () => program.patch(`/svc/api/projects/${project}`, { description: 'By a key' });

  test('writes with consent; without consent it can read, and the refusal states the reason', async () => {
    reason = undefined;
    program = await makeKey();
    expect((await change()).status).toBe(200);
    reason = 'Your account is suspended.';
    program = await makeKey();
    expect(await change()).toMatchObject({
      status: 403,
      body: {
        code: 'execute-scope-required',
        detail: 'This operation requires the Execute scope. Your account is suspended.',
      },
    });
    expect((await program.get(`/svc/api/projects/${project}`)).status).toBe(200);
    const call = await program.post('/svc/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(call).toMatchObject({ status: 403, body: { detail: expect.stringContaining('suspended') } });
    expect((await root.patch(`/svc/api/projects/${project}`, { description: 'In person' })).status).toBe(200);
  });
});
