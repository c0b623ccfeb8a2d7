import mysql, { type Connection } from 'mysql2/promise';

/** A session of a test's own at a MariaDB server, as its root: values come as texts, times as they are in UTC. */
export async function openMariaDbSession(socketPath: string, database?: string): Promise<Connection> {
  const session = await mysql.createConnection({
    ...{ socketPath, user: 'root', multipleStatements: true },
    ...{ timezone: 'Z', dateStrings: true, supportBigNumbers: true, bigNumberStrings: true },
    ...(database !== undefined && { database }),
  });
  await session.query("set session time_zone = '+00:00'");
  return session;
}

export type MariaDbSession = Connection;
