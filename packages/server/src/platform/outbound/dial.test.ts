import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { createOutbound } from './outbound.ts';

const names: Record<string, string[]> = {
  'db.internal': ['10.0.0.7', 'fd00::7'],
  'metadata.test': ['169.254.169.254'],
  'mixed.test': ['10.0.0.7', '169.254.169.254'],
  '0xa9fea9fe': ['169.254.169.254'],
};
const outbound = createOutbound({
  resolve: async (host) => names[host] ?? Promise.reject(new Error('ENOTFOUND')),
});
afterAll(() => outbound.close());

describe('the target of a driver', () => {
  test('is resolved, checked and returned as an address with its name', async () => {
    expect(await outbound.dial({ host: 'DB.internal', port: 5432 })).toEqual({
      host: 'db.internal',
      address: '10.0.0.7',
      addresses: ['10.0.0.7', 'fd00::7'],
      port: 5432,
    });
    expect(await outbound.dial({ host: '[::1]', port: 1 })).toMatchObject({ host: '::1', address: '::1' });
    expect(await outbound.dial({ host: '127.0.0.1', port: 65_535 })).toMatchObject({ address: '127.0.0.1' });
  });

  test('cannot be a metadata service, by address, by name or next to another address', async () => {
    for (const host of [
      '169.254.169.254',
      '[fd00:ec2::254]',
      '100.100.100.200',
      '192.0.0.192',
      '168.63.129.16',
      '::ffff:169.254.169.254',
      '64:ff9b::a9fe:a9fe',
      '0xa9fea9fe',
      'metadata.test',
      'mixed.test',
      '0.0.0.0',
      '224.0.0.1',
    ])
      await expect(outbound.dial({ host, port: 80 }), host).rejects.toMatchObject({ code: 'AddressRefused' });
  });

  test('cannot be a socket, a pipe or anything other than a host', async () => {
    for (const host of [
      '/var/run/postgresql',
      './sock',
      'a/b',
      '@abstract',
      '\\\\.\\pipe\\sql\\query',
      'np:server',
      'lpc:server',
      '',
      ' ',
      'db internal',
      'db\ninternal',
      'db?host=/tmp',
      'a,b',
      'db:5432',
      'user@db',
      'fe80::1%eth0',
      'x'.repeat(300),
    ])
      await expect(outbound.dial({ host, port: 5432 }), JSON.stringify(host)).rejects.toThrow(/^The host /);
  });

  test('requires a valid port', async () => {
    for (const port of [0, -1, 65_536, 1.5, Number.NaN])
      await expect(outbound.dial({ host: 'db.internal', port })).rejects.toThrow(/^The port /);
  });

  test('is connected only at a checked address', async () => {
    const server = net.createServer((socket) => socket.end('hello'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    names['here.test'] = ['127.0.0.1'];
    try {
      const socket = await outbound.dialSocket({ host: 'here.test', port });
      expect(String(await once(socket, 'data'))).toBe('hello');
      socket.destroy();
      await expect(outbound.dialSocket({ host: 'mixed.test', port })).rejects.toMatchObject({
        code: 'AddressRefused',
      });
      await expect(outbound.dialSocket({ host: '/tmp/x', port })).rejects.toThrow(/sockets and pipes/);
      const aborted = outbound.dialSocket({ host: 'here.test', port }, { signal: AbortSignal.abort() });
      await expect(aborted).rejects.toThrow();
    } finally {
      server.close();
    }
    await expect(outbound.dialSocket({ host: 'here.test', port })).rejects.toMatchObject({
      code: 'ConnectionFailed',
    });
  });

  test.runIf(process.platform === 'linux')('is probed while its connection is idle', async () => {
    const server = net.createServer(() => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const socket = await outbound.dialSocket({ host: '127.0.0.1', port });
    try {
      // A row of the system's table: addresses, state, queues, then the timer. `02` is the timer of keep-alive
      // probes.
      const hex = (value: number) => value.toString(16).toUpperCase().padStart(4, '0');
      const ends = `0100007F:${hex(socket.localPort ?? 0)} 0100007F:${hex(port)}`;
      const row = (await readFile('/proc/net/tcp', 'utf8')).split('\n').find((line) => line.includes(ends));
      expect(row).toMatch(/ 02:[\dA-F]{8} /);
    } finally {
      socket.destroy();
      server.close();
    }
  });

  test('is refused with NameNotResolved if its name does not resolve', async () => {
    await expect(outbound.dial({ host: 'nowhere.test', port: 1 })).rejects.toMatchObject({
      code: 'NameNotResolved',
    });
  });
});
