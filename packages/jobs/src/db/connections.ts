import pg from 'pg';
import { BoundedClient, type SessionBounds, withSessionDefaults } from './bounded-client.ts';

/** Called for a session that the server or the network ended, idle or active. The process continues. */
export type OnLostSession = (error: Error) => void;

/** The driver's type parsers. */
export const { types: driverTypes } = pg;

const guarded = new WeakSet<pg.Pool>();

/**
 * Adds an error listener to every client of a pool while a caller uses it. `pg` removes its own listener when it hands
 * out a client, and an `error` event without a listener ends the process. No other reaction is necessary: the client's
 * statements fail, and the pool discards a client that lost its session.
 *
 * @returns a function that reports a lost session; it reports each client once.
 */
export function guardPool(
  pool: pg.Pool,
  onLost: OnLostSession = () => undefined,
): (error: Error, client: pg.ClientBase) => void {
  const reportedClients = new WeakSet<pg.ClientBase>();
  // A lost session emits two errors: the server's message and the end of the connection.
  const tell = (error: Error, client: pg.ClientBase): void => {
    if (reportedClients.has(client)) return;
    reportedClients.add(client);
    hideClient(error);
    onLost(error);
  };
  function hear(this: pg.ClientBase, error: Error): void {
    tell(error, this);
  }
  if (guarded.has(pool)) return tell;
  guarded.add(pool);
  // The pool's own listener is attached during both events.
  pool.on('acquire', (client) => client.on('error', hear));
  pool.on('release', (_error, client) => client.off('error', hear));
  return tell;
}

/**
 * Hides the client that the pool attaches to a session error. Loggers write all enumerable properties. A client
 * contains the server's address and the secret that cancels its session.
 */
function hideClient(error: Error): void {
  if (Object.hasOwn(error, 'client')) Object.defineProperty(error, 'client', { enumerable: false });
}

/**
 * Opens a pool that survives the loss of any of its sessions and whose statements have a deadline.
 *
 * When a statement gets no response in time, its session is closed. Idle sessions that were silent for that duration
 * are closed too: one network failure costs one deadline, not one per session.
 *
 * @param config  As for `pg`, with `answerTimeoutMs` (default 30 s). `query_timeout` has no effect.
 * @param onLost  Called once for each lost session.
 */
export function openPool(config: pg.PoolConfig & Partial<SessionBounds>, onLost: OnLostSession): pg.Pool {
  const session = withSessionDefaults(config);
  const pool = new pg.Pool({
    ...session,
    Client: class extends BoundedClient {
      constructor() {
        super(session);
      }
    },
  });
  const report = guardPool(pool, onLost);
  pool.on('error', report);
  const idle = new Set<BoundedClient>();
  const forget = (client: pg.ClientBase): void => {
    if (client instanceof BoundedClient) idle.delete(client);
  };
  pool.on('release', (error, client) => {
    if (client instanceof BoundedClient && !error) idle.add(client);
  });
  pool.on('acquire', forget);
  pool.on('remove', forget);
  pool.on('connect', (client) => {
    if (!(client instanceof BoundedClient)) return;
    client.onSilent = (error, sinceMs) => {
      // The pool removes and ends an idle session that emits this event.
      for (const other of idle) if (other.heardAtMs < sinceMs) other.emit('error', error);
    };
  });
  return pool;
}

/**
 * Creates a single client, not yet connected, whose statements have a deadline (default 30 s). A lost session fails its
 * statements and emits its `end` event.
 */
export function openClient(config: pg.ClientConfig & Partial<SessionBounds>): pg.Client {
  const client = new BoundedClient(withSessionDefaults(config));
  client.on('error', () => undefined);
  return client;
}

/** Returns true for a pool. Its statements may each run on a different connection. */
export const isPool = (executor: unknown): executor is pg.Pool => executor instanceof pg.Pool;
