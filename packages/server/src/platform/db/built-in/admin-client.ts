import pg from 'pg';

/**
 * Creates a single client, not yet connected, for administrative work on a database server outside the service. The
 * listener prevents an `error` event from ending the process. A lost session appears as a failed statement.
 */
export function openAdminClient(connection: pg.ClientConfig): pg.Client {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  return client;
}
