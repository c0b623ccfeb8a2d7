import mysql, { type Connection } from 'mysql2/promise';

/** Opens a separate session at a MariaDB server, as its root user. Values are returned as texts, times in UTC. */
export async function openMariaDbSession(socketPath: string, database?: string): Promise<Connection> {
  const session = await mysql.createConnection({
    socketPath,
    user: 'root',
    multipleStatements: true,
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    ...(database !== undefined && { database }),
  });
  await session.query("set session time_zone = '+00:00'");
  return session;
}

export type MariaDbSession = Connection;
