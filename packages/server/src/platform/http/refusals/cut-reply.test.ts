import { once } from 'node:events';
import { connect, constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { cutReply } from './cut-reply.ts';

test('a cut HTTP/2 answer ends with a stream error, and other streams of the connection continue', async () => {
  const server = createServer((request, response) => {
    response.write('a part');
    if (request.url === '/whole') response.end();
    else cutReply(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const codeOf = async (path: string): Promise<number | undefined> => {
    const stream = client.request({ ':path': path });
    stream.on('error', () => undefined).resume();
    await new Promise((resolve) => stream.once('close', resolve));
    return stream.rstCode;
  };
  try {
    expect(await codeOf('/cut')).toBe(constants.NGHTTP2_INTERNAL_ERROR);
    expect(await codeOf('/whole')).toBe(constants.NGHTTP2_NO_ERROR);
  } finally {
    client.close();
    server.close();
  }
});
