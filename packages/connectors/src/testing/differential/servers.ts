import { spawnSync } from 'node:child_process';
import { startClickhouse } from '@svc/testkit/database/clickhouse.ts';
import { startMariaDb } from '@svc/testkit/database/mariadb.ts';
import mysql from 'mysql2';
import { clickhouseRules } from '../../clickhouse/rules.ts';
import { mysqlRules } from '../../mysql/rules.ts';
import type { EngineReader } from './compare.ts';
import { executingReader } from './engines.ts';

/** Reader of an engine that is a separate server. */
export type ServerReader = EngineReader & { readonly close: () => Promise<void> };

/** Starts MariaDB, and reads as a user without privileges. */
export async function mariadbReader(): Promise<ServerReader> {
  const server = await startMariaDb();
  const { socketPath } = server;
  const asRoot = ['--no-defaults', `--socket=${socketPath}`, '--user=root'];
  const input = "create user reader identified by 'secret'";
  const { status, stderr } = spawnSync('mariadb', asRoot, { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const client = mysql.createConnection({
    socketPath,
    user: 'reader',
    password: 'secret',
    rowsAsArray: true,
  });
  const query = (sql: string) =>
    new Promise<unknown>((resolve, reject) => {
      client.query(sql, (error: unknown, rows: unknown) =>
        error ? reject(error) : resolve(Array.isArray(rows) ? rows : undefined),
      );
    });
  return {
    ...executingReader(mysqlRules, query),
    close: () => {
      client.destroy();
      return server.stop();
    },
  };
}

/** Starts ClickHouse. */
export async function clickhouseReader(): Promise<ServerReader> {
  const server = await startClickhouse();
  return { ...executingReader(clickhouseRules, (sql) => server.query(sql)), close: () => server.stop() };
}
