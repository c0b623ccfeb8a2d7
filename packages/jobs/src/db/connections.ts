import pg from 'pg';
import { BoundedClient, type SessionBounds, withSessionDefaults } from './bounded-client.ts';

/** Told of a session that the server or the network ended, idle or in the middle of work. It is not an end of the process. */
export type OnLostSession = (error: Error) => void;

/** Parsers of PostgreSQL's types as the driver has them. */
export const { types: driverTypes } = pg;

const guarded = new WeakSet<pg.Pool>();

/**
 * Listens to every client of a pool for as long as somebody holds it. `pg` takes its own listener away when it hands a
 * client out, and an `error` event that nobody hears ends the process: one terminated session would. The event needs no
 * other answer: the statements of the client fail by themselves, and a pool keeps no client that has lost its session.
 *
 * @returns what tells of a session that was lost; it tells once of each.
 */
export function guardPool(
  pool: pg.Pool,
  onLost: OnLostSession = () => undefined,
): (error: Error, client: pg.ClientBase) => void {
  const told = new WeakSet<pg.ClientBase>();
  // A session ends with the server's words and once more with the end of the connection.
  const tell = (error: Error, client: pg.ClientBase): void => {
    if (told.has(client)) return;
    told.add(client);
    hideClient(error);
    onLost(error);
  };
  function hear(this: pg.ClientBase, error: Error): void {
    tell(error, this);
  }
  if (guarded.has(pool)) return tell;
  guarded.add(pool);
  // Both events come while the pool's own listener is still, or again, in place.
  pool.on('acquire', (client) => client.on('error', hear));
  pool.on('release', (_error, client) => client.off('error', hear));
  return tell;
}

/**
 * The pool notes the client on the error of a session. A client holds the address of the server and the secret with
 * which its session can be cancelled, and loggers write down all that can be enumerated.
 */
function hideClient(error: Error): void {
  if (Object.hasOwn(error, 'client')) Object.defineProperty(error, 'client', { enumerable: false });
}

/**
 * Opens a pool that outlives the loss of any of its sessions, and whose statements have a deadline.
 *
 * When a statement gets no answer in time, its session is closed, and with it the idle sessions that were silent for
 * as long: one network failure costs one deadline, not one for each session.
 *
 * @param config  as for `pg`, with `answerTimeoutMs` (default 30 s); `query_timeout` has no effect.
 * @param onLost  called once for each session that is lost.
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
      // The event removes an idle session from its pool, which ends it.
      for (const other of idle) if (other.heardAtMs < sinceMs) other.emit('error', error);
    };
  });
  return pool;
}

/**
 * Makes a single client, not connected yet, whose statements have a deadline (default 30 s). The loss of its session shows in its
 * statements, which fail, and in its `end` event.
 */
export function openClient(config: pg.ClientConfig & Partial<SessionBounds>): pg.Client {
  const client = new BoundedClient(withSessionDefaults(config));
  client.on('error', () => undefined);
  return client;
}

/** Whether statements of an executor go to any connection of a pool. */
export const isPool = (executor: unknown): executor is pg.Pool => executor instanceof pg.Pool;
