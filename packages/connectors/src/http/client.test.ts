import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHttpClient } from './client.ts';

const body = Buffer.alloc(16_000_000, 'rows of a fast server\n');
const packed = gzipSync(body, { level: 1 });
let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url !== '/packed') return response.end(body);
    return response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => server.close());

/** Returns the number of chunks that arrived in each turn of the event loop, in order. */
async function chunksByTurn(path: string): Promise<number[]> {
  const { port } = server.address() as AddressInfo;
  const { signal } = new AbortController();
  const client = await openHttpClient(
    { host: '127.0.0.1', port, tlsMode: 'Disable' },
    {
      signal,
      dial: async () => {
        const socket = connect({ host: '127.0.0.1', port });
        await once(socket, 'connect');
        return socket;
      },
    },
  );
  const turns = [0];
  let isOver = false;
  const turn = () => {
    turns.push(0);
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const answer = await client.get({ path, headers: {} });
    let bytes = 0;
    for await (const chunk of answer.body) {
      bytes += chunk.length;
      turns.push((turns.pop() ?? 0) + 1);
    }
    expect(bytes).toBe(body.length);
  } finally {
    isOver = true;
    await client.close();
  }
  return turns;
}

describe('the body of an HTTP response', () => {
  it.each(['/', '/packed'])('of %s yields to the event loop between two of its chunks', async (path) => {
    const turns = await chunksByTurn(path);
    expect(turns.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(50);
    expect(Math.max(...turns)).toBe(1);
  });
});
