import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createOutbound } from './outbound.ts';
import { deliveryPolicy, identityProviderPolicy } from './policy.ts';
import { answer, type HooksServer, policy, post, startHooksServer } from './testing/hooks-server.ts';

const closedPolicy = deliveryPolicy('Webhook', {});
let hooks: HooksServer;

beforeAll(async () => {
  hooks = await startHooksServer();
});
afterEach(() => hooks.reset());
afterAll(() => hooks.close());

describe('a request to an allowed destination', () => {
  test('is sent to the checked address under the original name, and its answer is discarded', async () => {
    hooks.handler = answer(200, 'a secret of the destination');
    const result = await post(hooks.gateway(), hooks.url('/a?b=c'));
    expect(result).toMatchObject({ ok: true, status: 200, bytesSent: 7, bytesReceived: 27 });
    expect(result.ok && result.body.length).toBe(0);
    expect(hooks.seen).toEqual([
      { host: `hooks.example.com:${hooks.port}`, servername: 'hooks.example.com', url: '/a?b=c' },
    ]);
    expect(hooks.logged).toEqual([]);
  });

  test('works for a literal address in an allowed network, with the certificate verified against the address', async () => {
    hooks.handler = answer(204, '');
    expect(await post(hooks.gateway(), `https://127.0.0.1:${hooks.port}/`)).toMatchObject({
      ok: true,
      status: 204,
    });
    expect(await post(hooks.gateway(), `https://127.0.0.2:${hooks.port}/`)).toMatchObject({ ok: false });
  });

  test('returns the answer on request, up to the limit', async () => {
    hooks.handler = answer(200, 'x'.repeat(1_000));
    const complete = await post(hooks.gateway(), hooks.url(), { keepAnswer: true });
    expect(complete.ok && [complete.body.length, complete.isBodyComplete]).toEqual([1_000, true]);
    const cut = await post(hooks.gateway(), hooks.url(), { keepAnswer: true, answerBytesMax: 10 });
    expect(cut.ok && [cut.body.toString(), cut.isBodyComplete]).toEqual(['x'.repeat(10), false]);
  });

  test('uses one connection for consecutive requests', async () => {
    hooks.handler = answer(200);
    const outbound = hooks.gateway();
    await post(outbound, hooks.url());
    // The pool registers a free connection on the next turn.
    await setImmediate();
    await post(outbound, hooks.url());
    expect([hooks.connections, hooks.seen.length]).toEqual([1, 2]);
  });

  test('shares no connection with a stricter policy', async () => {
    hooks.handler = answer(200);
    const outbound = hooks.gateway();
    await post(outbound, hooks.url());
    expect(await post(outbound, hooks.url(), { policy: closedPolicy })).toMatchObject({
      failure: 'AddressRefused',
    });
    expect(hooks.seen).toHaveLength(1);
  });

  test('treats every HTTP status as an answer', async () => {
    for (const status of [200, 201, 400, 404, 410, 429, 500, 503]) {
      hooks.handler = answer(status);
      expect(await post(hooks.gateway(), hooks.url())).toMatchObject({ ok: true, status });
    }
  });
});

describe('host names', () => {
  test('a name that is public when saved and private when sent is not connected', async () => {
    hooks.handler = answer(200);
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const outbound = hooks.gateway({ resolve: async () => answers.shift() ?? ['127.0.0.1'] });
    expect(await outbound.checkDestination(hooks.url(), closedPolicy)).toMatchObject({
      ok: true,
      isResolved: true,
    });
    expect(await post(outbound, hooks.url(), { policy: closedPolicy })).toMatchObject({
      ok: false,
      failure: 'AddressRefused',
      mayHaveArrived: false,
    });
    expect(hooks.connections).toBe(0);
  });

  test('a name is resolved once per connection, and the checked address is dialled', async () => {
    hooks.handler = answer(200);
    let calls = 0;
    // A second resolution would return an address without a listener.
    const outbound = hooks.gateway({ resolve: async () => (calls++ === 0 ? ['127.0.0.1'] : ['127.9.9.9']) });
    expect(await post(outbound, hooks.url())).toMatchObject({ ok: true });
    expect(calls).toBe(1);
  });

  test('one private address among public ones refuses the name, in any order', async () => {
    for (const addresses of [
      ['127.0.0.1', '93.184.216.34'],
      ['93.184.216.34', '127.0.0.1'],
      ['2606:4700::1', '::ffff:127.0.0.1'],
    ]) {
      const outbound = hooks.gateway({ resolve: async () => addresses });
      expect(await post(outbound, hooks.url(), { policy: closedPolicy })).toMatchObject({
        failure: 'AddressRefused',
      });
      expect(await outbound.checkDestination(hooks.url(), closedPolicy)).toMatchObject({
        ok: false,
        refusal: 'AddressNotAllowed',
      });
    }
    expect(hooks.connections).toBe(0);
  });

  test('a second checked address is tried if the first one refuses', async () => {
    hooks.handler = answer(200);
    const outbound = hooks.gateway({ resolve: async () => ['127.5.5.5', '127.0.0.1'] });
    expect(await post(outbound, hooks.url())).toMatchObject({ ok: true });
  });

  test('a name that cannot be resolved can be saved, and fails at the request', async () => {
    const outbound = hooks.gateway({ resolve: async () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await outbound.checkDestination(hooks.url(), policy)).toMatchObject({
      ok: true,
      isResolved: false,
    });
    expect(await post(outbound, hooks.url())).toMatchObject({ ok: false, failure: 'NameNotResolved' });
  });

  test('a resolution without addresses is a failure', async () => {
    expect(await post(hooks.gateway({ resolve: async () => [] }), hooks.url())).toMatchObject({
      failure: 'NameNotResolved',
    });
  });

  test('the system resolver is used by default', async () => {
    hooks.handler = answer(200);
    const outbound = hooks.gateway();
    const system = createOutbound({ trustedCertificates: [hooks.authority.certificate] });
    onTestFinished(() => system.close());
    expect(await system.checkDestination(`https://localhost:${hooks.port}/`, closedPolicy)).toMatchObject({
      ok: false,
    });
    expect(await system.dial({ host: 'localhost', port: 5432 })).toMatchObject({
      host: 'localhost',
      port: 5432,
    });
    await outbound.close();
  });
});

describe('redirects', () => {
  for (const status of [301, 302, 303, 307, 308])
    test(`${status} is an answer and is not followed`, async () => {
      hooks.handler = (request, response) => {
        if (request.url === '/hook')
          answer(status, '', { location: hooks.url('/secret') })(request, response);
        else answer(200)(request, response);
      };
      expect(await post(hooks.gateway(), hooks.url())).toMatchObject({ ok: true, status });
      expect(hooks.seen).toHaveLength(1);
    });

  test('fetch does not follow redirects either', async () => {
    hooks.handler = answer(302, '', { location: hooks.url('/secret') });
    const fetch = hooks.gateway().fetchUnder(policy);
    await expect(fetch(hooks.url())).rejects.toThrow();
    expect((await fetch(hooks.url(), { redirect: 'manual' })).status).toBe(302);
    expect(hooks.seen.map((request) => request.url)).toEqual(['/hook', '/hook']);
  });
});

describe('certificates', () => {
  test('an unknown authority and another name are refused', async () => {
    hooks.handler = answer(200);
    expect(await post(hooks.gateway({ trustedCertificates: [] }), hooks.url())).toMatchObject({
      failure: 'CertificateNotTrusted',
    });
    expect(await post(hooks.gateway(), `https://other.example.com:${hooks.port}/`)).toMatchObject({
      failure: 'CertificateNotTrusted',
    });
    expect(hooks.seen).toEqual([]);
  });

  test('no environment variable disables the verification', async () => {
    hooks.handler = answer(200);
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      expect(await post(hooks.gateway({ trustedCertificates: [] }), hooks.url())).toMatchObject({
        failure: 'CertificateNotTrusted',
      });
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
    expect(hooks.seen).toEqual([]);
  });

  test('an unreadable trusted certificate stops the start with the name of its setting', () => {
    expect(() => createOutbound({ trustedCertificates: ['nonsense'] })).toThrow(
      /^Svc:Notifications:TrustedCertificates:0 names the file nonsense, which cannot be read/,
    );
    const broken = hooks.authority.certificate.replace(/MII/, 'AAA');
    expect(() => createOutbound({ trustedCertificates: [hooks.authority.certificate, broken] })).toThrow(
      /:1 holds/,
    );
  });
});

describe('results and log entries of requests', () => {
  test('a result contains no trace of the destination, and the log no path, query or header', async () => {
    hooks.handler = (request) => request.socket.destroy();
    const outbound = hooks.gateway();
    const result = await post(outbound, hooks.url('/secret-path?token=s3cret'), {
      headers: { 'x-api-key': 's3cret' },
    });
    expect(Object.keys(result).sort()).toEqual(['durationMs', 'failure', 'mayHaveArrived', 'ok']);
    expect(JSON.stringify(hooks.logged)).not.toMatch(/s3cret|secret-path/);
    expect(hooks.logged).toMatchObject([
      { failure: 'ConnectionLost', stage: 'answer', host: 'hooks.example.com' },
    ]);
  });

  test('a header that belongs to the connection is refused as an error of the caller', async () => {
    const outbound = hooks.gateway();
    for (const name of ['Host', 'content-length', 'Transfer-Encoding', 'CONNECTION'])
      await expect(post(outbound, hooks.url(), { headers: { [name]: 'x' } })).rejects.toThrow(TypeError);
    expect(await post(outbound, hooks.url(), { headers: { 'x-a': 'b\r\nx-c: d' } })).toMatchObject({
      failure: 'RequestInvalid',
    });
  });

  test('no request is sent after close', async () => {
    const outbound = hooks.gateway();
    await outbound.close();
    expect(await post(outbound, hooks.url())).toMatchObject({ failure: 'Cancelled', mayHaveArrived: false });
  });
});

describe('fetch for client libraries', () => {
  test('is subject to the same policy', async () => {
    hooks.handler = answer(200, '{"keys":[]}', { 'content-type': 'application/json' });
    const outbound = hooks.gateway();
    const response = await outbound.fetchUnder(identityProviderPolicy())(hooks.url('/jwks'));
    expect(await response.json()).toEqual({ keys: [] });
    await expect(outbound.fetchUnder(closedPolicy)(hooks.url())).rejects.toThrow();
    await expect(
      outbound.fetchUnder(closedPolicy)(`http://hooks.example.com:${hooks.port}/`),
    ).rejects.toMatchObject({
      code: 'DestinationRefused',
    });
    expect(hooks.seen).toHaveLength(1);
  });

  test('ends at its deadline, and its failures are logged without the path', async () => {
    hooks.handler = () => undefined;
    const log = vi.fn();
    const fetch = hooks.gateway({ log }).fetchUnder(policy, { totalTimeoutMs: 60 });
    await expect(fetch(hooks.url('/secret-path'))).rejects.toThrow();
    await expect(
      hooks.gateway({ log }).fetchUnder(closedPolicy)(hooks.url('/secret-path')),
    ).rejects.toThrow();
    expect(log.mock.calls).toMatchObject([
      [{ failure: 'TimedOut', policy: policy.name, port: hooks.port }],
      [{ failure: 'AddressRefused', stage: 'resolve', policy: closedPolicy.name }],
    ]);
    expect(JSON.stringify(log.mock.calls)).not.toContain('secret-path');
  });
});
