import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openSilentProxy } from './silent-proxy.ts';

/** Opens a proxy in front of a server that sends all bytes back. */
async function startEcho() {
  const server = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = await openSilentProxy({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  onTestFinished(async () => {
    await proxy.stop();
    server.close();
  });
  return proxy;
}

async function openClient(port: number): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  return { socket, received: () => text };
}

test('after a silence, old connections receive the delayed bytes and new ones each byte once', async () => {
  const proxy = await startEcho();
  const old = await openClient(proxy.port);
  old.socket.write('a');
  await expect.poll(old.received).toBe('a');
  expect(proxy.silence()).toBe(1);
  old.socket.write('b');
  const young = await openClient(proxy.port);
  young.socket.write('1');
  await expect.poll(young.received).toBe('1');
  expect(old.received()).toBe('a');
  proxy.restore();
  young.socket.write('2');
  old.socket.write('c');
  await expect.poll(old.received).toBe('abc');
  await expect.poll(young.received).toBe('12');
});
