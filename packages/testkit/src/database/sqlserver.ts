import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Dial } from '../../../connectors/src/port.ts';
import type { TdsEvent } from './tds/server.ts';
import type { ServerIdentity } from './tds/tls-layer.ts';

/** Server of one test file that implements the protocol of SQL Server. */
export type TestSqlserver = {
  readonly port: number;
  /** Host name that `dial` connects to this server. */
  readonly host: string;
  readonly dial: Dial;
  /** All events since the start. */
  readonly events: readonly TdsEvent[];
  /** Returns a function that returns the events of connections newer than this call. */
  readonly watch: () => () => readonly TdsEvent[];
  readonly stop: () => Promise<void>;
};

const testHost = 'sqlserver.test';

/**
 * Starts the server with the users of `tds/catalogue.ts` and the rows of `tds/shop.ts`. With an identity it accepts
 * only encrypted connections.
 */
export async function startSqlserver(identity?: ServerIdentity): Promise<TestSqlserver> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-sqlserver-'));
  const files = identity ? [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')] : [];
  if (identity) {
    writeFileSync(files[0] ?? '', identity.key, { mode: 0o600 });
    writeFileSync(files[1] ?? '', identity.cert);
  }
  const front = path.join(import.meta.dirname, 'tds/front.ts');
  const child = spawn(process.execPath, [front, path.join(folder, 'shop.db'), ...files], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const events: TdsEvent[] = [];
  const [first] = (await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(() => {
      throw new Error('The server of SQL Server’s protocol did not start.');
    }),
  ])) as [string];
  lines.on('line', (line) => events.push(JSON.parse(line) as TdsEvent));
  const port = Number(first);
  return {
    port,
    host: testHost,
    events,
    watch: () => {
      const from = events.reduce((newest, { connection }) => Math.max(newest, connection), 0);
      return () => events.filter(({ connection }) => connection > from);
    },
    dial: async (target, { signal }) => {
      const isOurs = target.host === testHost;
      const socket = connect({ ...(isOurs ? { host: '127.0.0.1', port } : target), signal });
      await once(socket, 'connect');
      return socket;
    },
    stop: async () => {
      const closed = child.exitCode === null ? once(child, 'close') : Promise.resolve();
      child.kill('SIGKILL');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
