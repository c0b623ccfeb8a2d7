import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { ClusterLocation } from './location.ts';

const loopback = '127.0.0.1';
/** Without TCP, the port is only a part of the socket's name. */
const socketOnlyPort = 5432;

/** Port and addresses of a server, running or new. */
export type Listening = { readonly port: number; readonly usesTcp: boolean };

/** Reads the port and addresses of the running server from its pid file. */
export function listeningOf(location: ClusterLocation): Listening {
  const lines = readFileSync(path.join(location.data, 'postmaster.pid'), 'utf8').split('\n');
  return { port: Number(lines[3]), usesTcp: (lines[5] ?? '').trim() !== '' };
}

/** Chooses the port of a new server: the previous port if it is still free. */
export async function chooseListening(location: ClusterLocation, usesTcp: boolean): Promise<Listening> {
  if (!usesTcp) return { port: socketOnlyPort, usesTcp };
  const file = path.join(path.dirname(location.data), 'port');
  const port = (await freePort(earlierPort(file))) ?? (await freePort(0));
  if (port === undefined) throw new Error('There is no free port on 127.0.0.1 for the built-in PostgreSQL.');
  writeFileSync(file, String(port));
  return { port, usesTcp };
}

function earlierPort(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    return 0;
  }
}

/** Returns the port if it is available; any free port for 0. */
function freePort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen(port, loopback, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : undefined));
    });
  });
}
