import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSvcClient, type SvcClientOptions, SvcConnectionError, SvcProblem } from './index.ts';

/** Creates a client whose requests receive these responses in order. The last response repeats. */
function clientOf(answers: readonly (Response | Error)[], options: Partial<SvcClientOptions> = {}) {
  const sent: Request[] = [];
  const client = createSvcClient({
    url: 'https://svc.example.com/base/',
    key: 'a-key',
    ...options,
    fetch: async (address, init) => {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push(new Request(address, init));
      if (answer instanceof Response) return answer.clone();
      throw answer;
    },
  });
  return { client, sent };
}

const away = new TypeError('fetch failed');
const project = Response.json({ id: 7 });
const busy = (headers: Record<string, string> = {}) =>
  Response.json({ type: 'about:blank', title: 'Too Many Requests', status: 429 }, { status: 429, headers });

/** Runs all timers until the promise settles. */
async function settled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  await vi.runAllTimersAsync();
  return promise;
}

describe('a request', () => {
  test.each([
    ['https://svc.example.com', 'https://svc.example.com/svc/api/projects/7'],
    ['https://svc.example.com/svc', 'https://svc.example.com/svc/api/projects/7'],
    ['https://svc.example.com/base/svc/', 'https://svc.example.com/base/svc/api/projects/7'],
    ['https://svc.example.com/mysvc', 'https://svc.example.com/mysvc/svc/api/projects/7'],
  ])('to a service at %s is sent to %s', async (url, address) => {
    const { client, sent } = clientOf([project], { url });
    await client.getProject({ id: 7 });
    expect(sent[0]?.url).toBe(address);
  });

  test('is sent below the path that the service is mounted at, with the key, and follows no redirect', async () => {
    const { client, sent } = clientOf([project]);
    await client.getProject({ id: 7 });
    expect(sent[0]?.url).toBe('https://svc.example.com/base/svc/api/projects/7');
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer a-key');
    expect(sent[0]?.redirect).toBe('manual');
  });

  test('obtains the key for each call, so that a token can be renewed', async () => {
    let count = 0;
    const { client, sent } = clientOf([project], { key: async () => `token-${count++}` });
    await client.getProject({ id: 7 });
    await client.getProject({ id: 7 });
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer token-0',
      'Bearer token-1',
    ]);
  });

  test('carries parameters in the query, and the body as JSON', async () => {
    const { client, sent } = clientOf([project]);
    await client.listProjects({ search: 'a&b', pageSize: 5 });
    await client.updateProject({ id: 7, body: { name: 'ü' } }, { ifMatch: 3 });
    expect(new URL(sent[0]?.url ?? '').search).toBe('?search=a%26b&pageSize=5');
    expect(await sent[1]?.json()).toEqual({ name: 'ü' });
    expect(sent[1]?.headers.get('if-match')).toBe('"3"');
    expect(sent[1]?.headers.get('content-type')).toBe('application/json');
  });

  test('sends a file as raw bytes', async () => {
    const { client, sent } = clientOf([project]);
    await client.uploadDataFile({ name: 'a.csv', body: 'a,b\n1,2\n' });
    expect(await sent[0]?.text()).toBe('a,b\n1,2\n');
    expect(sent[0]?.headers.get('content-type')).toBe('application/octet-stream');
  });

  test.each(['', '.', '..'])(
    'is not sent with %j as a path parameter, which would address another path',
    async (runKey) => {
      const { client, sent } = clientOf([project]);
      await expect(client.stopRun({ runKey })).rejects.toThrow(TypeError);
      expect(sent).toEqual([]);
    },
  );

  test.each([
    'svc.example.com',
    'ftp://svc.example.com',
    'https://user:secret@svc.example.com',
    'https://h/?a=1',
  ])('cannot be sent to the invalid address %s', (url) => {
    expect(() => createSvcClient({ url })).toThrow(TypeError);
  });
});

describe('a retry', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['the connection breaks', away],
    ['a proxy cannot reach the service', new Response('<html>', { status: 502 })],
    ['the database is unavailable', new Response(null, { status: 503, headers: { 'retry-after': '1' } })],
  ])('is made for a read when %s', async (_when, failure) => {
    const { client, sent } = clientOf([failure, failure, project]);
    expect(await settled(client.getProject({ id: 7 }))).toEqual({ id: 7 });
    expect(sent.length).toBe(3);
  });

  test('of a change carries the same Idempotency-Key, which is new for each call', async () => {
    const { client, sent } = clientOf([away, project]);
    await settled(client.createProject({ body: { name: 'A', description: null } }));
    await client.createProject({ body: { name: 'A', description: null } });
    const [first, again, other] = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect([first === again, first === other, first?.length]).toEqual([true, false, 36]);
  });

  test('is not made for a change without an idempotency key', async () => {
    const { client, sent } = clientOf([away]);
    await expect(settled(client.updateProject({ id: 7, body: {} }))).rejects.toThrow(SvcConnectionError);
    expect(sent.length).toBe(1);
  });

  test.each([
    ['PUT', '/svc/api/projects/7', 1],
    ['POST', '/svc/api/projects/7/members/9', 1],
    ['POST', '/svc/api/projects?dryRun=true', 2],
    ['POST', '/svc/api/projects/7/members', 2],
  ])('of %s %s with a key is made only where the service accepts one', async (method, path, count) => {
    const { client, sent } = clientOf([away, project]);
    const answer = settled(client.send({ method, path, idempotencyKey: 'one' }));
    await (count === 1 ? expect(answer).rejects.toThrow(SvcConnectionError) : answer);
    expect(sent.length).toBe(count);
  });

  test('is not made for a change that ignores its idempotency key', async () => {
    const { client, sent } = clientOf([away]);
    const change = client.updateProject({ id: 7, body: {} }, { idempotencyKey: 'one' });
    await expect(settled(change)).rejects.toThrow(SvcConnectionError);
    expect(sent.length).toBe(1);
  });

  test('is made three times at most', async () => {
    const { client, sent } = clientOf([away]);
    await expect(settled(client.getProject({ id: 7 }))).rejects.toThrow('cannot be reached');
    expect(sent.length).toBe(4);
  });

  test.each([400, 401, 403, 404, 409, 412, 422, 500])('is not made after status %i', async (status) => {
    const { client, sent } = clientOf([Response.json({ title: 'No', status }, { status })]);
    await expect(settled(client.getProject({ id: 7 }))).rejects.toMatchObject({ status });
    expect(sent.length).toBe(1);
  });

  test('waits for the time in Retry-After, in seconds or as a date', async () => {
    const at = Date.now();
    await settled(clientOf([busy({ 'retry-after': '9' }), project]).client.getProject({ id: 7 }));
    expect(Date.now() - at).toBe(9_000);
    const date = new Date(Date.now() + 20_000).toUTCString();
    const then = Date.now();
    await settled(clientOf([busy({ 'retry-after': date }), project]).client.getProject({ id: 7 }));
    expect(Date.now() - then).toBeGreaterThan(18_000);
  });

  test('is not made if Retry-After exceeds the allowed wait, and the error contains that time', async () => {
    const { client, sent } = clientOf([busy({ 'retry-after': '31' })]);
    await expect(client.getProject({ id: 7 })).rejects.toMatchObject({ status: 429, retryAfterSeconds: 31 });
    expect(sent.length).toBe(1);
  });

  test('is made while the service still processes the first request', async () => {
    const body = { title: 'Under way', status: 409, code: 'request-under-way' };
    const underWay = Response.json(body, { status: 409, headers: { 'retry-after': '1' } });
    const { client, sent } = clientOf([underWay, project]);
    await settled(client.createProject({ body: { name: 'A', description: null } }));
    expect(sent.length).toBe(2);
  });

  test('ends its wait when the call is aborted or reaches its time limit', async () => {
    const stop = new AbortController();
    const aborted = clientOf([busy({ 'retry-after': '20' })]).client.getProject(
      { id: 7 },
      { signal: stop.signal },
    );
    aborted.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    stop.abort(new Error('Enough'));
    await expect(aborted).rejects.toThrow('Enough');
    const late = clientOf([busy({ 'retry-after': '20' })]).client.getProject({ id: 7 }, { timeoutMs: 5_000 });
    late.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(5_000);
    await expect(late).rejects.toMatchObject({ isTimeout: true });
  });
});

describe('a response', () => {
  test('without a problem document becomes a problem from its status', async () => {
    const answer = new Response('<html>', { status: 500, headers: { 'trace-id': 'abc' } });
    const error = await clientOf([answer])
      .client.getProject({ id: 7 })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SvcProblem);
    expect(error).toMatchObject({
      status: 500,
      message: 'Status 500',
      traceId: 'abc',
      code: undefined,
      errors: [],
    });
  });

  test('that redirects to another host is reported, and the key is not sent there', async () => {
    const answer = new Response(null, {
      status: 302,
      headers: { location: 'https://elsewhere.example.com' },
    });
    const { client, sent } = clientOf([answer]);
    await expect(client.getProject({ id: 7 })).rejects.toMatchObject({ status: 302 });
    expect(sent.length).toBe(1);
  });

  test('of a server other than the service is reported as such', async () => {
    await expect(clientOf([new Response('<html>')]).client.getProject({ id: 7 })).rejects.toThrow(
      'is not the service',
    );
  });

  test('without content becomes undefined, and a file is returned unchanged', async () => {
    const none = clientOf([new Response(null, { status: 204 })]).client;
    expect(await none.archiveSubscription({ id: 7 })).toBeUndefined();
    const file = clientOf([new Response('a,b')]).client;
    expect(await (await file.exportAudit({})).text()).toBe('a,b');
  });
});

describe('a paged list', () => {
  const page = (name: string, link?: string) =>
    Response.json({ items: [name], totalCount: 2, pageCount: 2 }, { headers: link ? { link } : {} });
  const next = '</elsewhere?page=1>; rel="next"';

  test('follows the query of the next page, but never its address', async () => {
    const { client, sent } = clientOf([page('a', next), page('b')]);
    const read = [];
    for await (const item of client.listAll('listProjects', { pageSize: 1 })) read.push(item);
    expect(read).toEqual(['a', 'b']);
    expect(sent.map(({ url }) => url.slice(url.indexOf('/base')))).toEqual([
      '/base/svc/api/projects?pageSize=1',
      '/base/svc/api/projects?page=1',
    ]);
  });

  test('ends when a page links to itself', async () => {
    const { client, sent } = clientOf([page('a', next)]);
    for await (const _item of client.listAll('listProjects')) expect(sent.length).toBeLessThan(3);
    expect(sent.length).toBe(2);
  });
});
