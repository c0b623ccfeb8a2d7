import { spawnSync } from 'node:child_process';
import { openGate } from '@svc/testkit/database/gate.ts';
import { startMariaDb } from '@svc/testkit/database/mariadb.ts';
import { findProgram } from '../../../../../tools/test/programs.ts';

/** MariaDB server that a service of another process can reach, with a database `shop` and its reader. */
export type MariaDbOnPort = {
  /** Values for the form of a data source. */
  readonly connection: Readonly<Record<string, string | number>>;
  readonly stop: () => Promise<void>;
};

const reader = { database: 'shop', user: 'reader', password: 'secret' };

/** Starts the server with orders in it, and forwards a port of 127.0.0.1 to its socket. */
export async function startMariaDbOnPort(): Promise<MariaDbOnPort> {
  const server = await startMariaDb();
  const made = spawnSync(
    findProgram('mariadb') ?? 'mariadb',
    ['--no-defaults', `--socket=${server.socketPath}`, '--user=root'],
    {
      input: `create database ${reader.database} character set utf8mb4; use ${reader.database};
      create table orders (id int primary key, customer varchar(80) not null, email varchar(200), placed_on date);
      insert into orders select seq, concat('Customer ', seq), concat('c', seq, '@example.org'), '2026-02-01' + interval seq day
      from seq_1_to_20;
      create user ${reader.user} identified by '${reader.password}'; grant select on ${reader.database}.* to ${reader.user};`,
      encoding: 'utf8',
    },
  );
  if (made.status !== 0) throw new Error(`The orders could not be made: ${made.stderr}`);
  const gate = await openGate({ path: server.socketPath });
  return {
    connection: { host: '127.0.0.1', port: gate.port, tlsMode: 'Disable', ...reader },
    stop: async () => {
      gate.stop();
      await server.stop();
    },
  };
}
