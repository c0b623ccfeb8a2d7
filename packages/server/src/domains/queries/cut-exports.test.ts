import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { createKey, createUser } from '@svc/testkit/people/users.ts';
import { type RunFixture, startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { createTestAuthority } from '@svc/testkit/service/certificates.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let fixture: RunFixture;
let authorization: string;
beforeAll(async () => {
  fixture = await startRunFixture({ config: { 'Svc:Query:TimeoutSeconds': 5 } });
  const editor = await createUser(fixture.svc.database, 'editor', 'Editor');
  ({ authorization } = await createKey(fixture.svc.database, editor, {
    scopes: ['Read', 'Execute'],
    projectIds: [fixture.projectId],
  }));
});
afterAll(() => fixture.close());

/** Two megabytes of rows, then a row that takes longer than the time limit. */
const slowLastRow = `select case when n = 2000 then pg_sleep(600)::text else repeat('x', 1000) end as a
  from generate_series(1, 2000) n`;
const formats = ['Csv', 'Xlsx', 'Json'] as const;

type Received = { readonly text: string; readonly isReset: boolean };

/** Sends a request over a raw socket and reads until the connection ends. */
async function exported(
  queryId: number,
  format: string,
  { version = '1.1', onData = async (_socket: net.Socket) => {} } = {},
): Promise<Received> {
  const { hostname, port } = new URL(fixture.svc.origin);
  const socket = net.connect(Number(port), hostname);
  await once(socket, 'connect');
  const body = JSON.stringify({ format });
  socket.write(
    [
      `POST /svc/api/queries/${queryId}/export HTTP/${version}`,
      `host: ${hostname}:${port}`,
      `authorization: ${authorization}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  const pieces: Buffer[] = [];
  let isReset = false;
  try {
    for await (const piece of socket) {
      pieces.push(piece);
      await onData(socket);
    }
  } catch (error) {
    isReset = (error as NodeJS.ErrnoException).code === 'ECONNRESET';
    if (!isReset) throw error;
  }
  return { text: Buffer.concat(pieces).toString('latin1'), isReset };
}

describe('an interrupted export', () => {
  test.each(formats)(
    'as %s at the time limit is a visible failure for clients of HTTP 1.1 and 1.0',
    async (format) => {
      const queryId = await fixture.addQuery(slowLastRow);
      const chunked = await exported(queryId, format);
      expect(chunked.text).toMatch(/^HTTP\/1\.1 200 /);
      expect(chunked.text.endsWith('\r\n0\r\n\r\n')).toBe(false);
      expect((await exported(queryId, format, { version: '1.0' })).isReset).toBe(true);
    },
  );

  test.each(formats)('as %s after a disconnect of the source is a visible failure', async (format) => {
    const queryId = await fixture.addQuery(slowLastRow);
    const kill = () =>
      fixture.shop.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where query like '%generate_series(1, 2000)%' and pid <> pg_backend_pid()`);
    const cut = await exported(queryId, format, { version: '1.0', onData: async () => void (await kill()) });
    expect([cut.text.slice(0, 12), cut.isReset]).toEqual(['HTTP/1.1 200', true]);
  });

  test('through TLS at the time limit is a visible failure', async () => {
    const authority = await createTestAuthority();
    const { svc } = fixture.svc;
    const server = https.createServer(await authority.issue('127.0.0.1'), (request, response) =>
      svc.handle(request, response),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const queryId = await fixture.addQuery(slowLastRow);
      const request = https.request({
        host: '127.0.0.1',
        port,
        ca: authority.certificate,
        method: 'POST',
        path: `/svc/api/queries/${queryId}/export`,
        headers: { authorization, 'content-type': 'application/json' },
      });
      request.end(JSON.stringify({ format: 'Csv' }));
      const [answer] = (await once(request, 'response')) as [IncomingMessage];
      expect(answer.statusCode).toBe(200);
      const read = async () => {
        for await (const _piece of answer);
      };
      await expect(read()).rejects.toThrow('aborted');
      expect(answer.complete).toBe(false);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('before its first row is a problem response with a status', async () => {
    const queryId = await fixture.addQuery('select pg_sleep(600)::text as a');
    const answer = await fixture.root.post(`/svc/api/queries/${queryId}/export`, { format: 'Csv' });
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect([answer.status, answer.body.code, answer.headers.get('content-disposition')]).toEqual([
      answer.body.status,
      'timed-out',
      null,
    ]);
  });
});
