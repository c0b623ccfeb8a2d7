import pg from 'pg';

/**
 * A single client, not connected yet, for what is done to a database server beside the service: it works before anything
 * of the service is there. An `error` event that nobody hears would end the process; the loss of the session shows in
 * the statements, which fail.
 */
export function openAdminClient(connection: pg.ClientConfig): pg.Client {
  const client = new pg.Client(connection);
  client.on('error', () => undefined);
  return client;
}
