import pg from 'pg';

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
 * Opens a pool that outlives the loss of any of its sessions, whoever holds them.
 *
 * @param onLost  told once of each session that is lost.
 */
export function openPool(config: pg.PoolConfig, onLost: OnLostSession): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', guardPool(pool, onLost));
  return pool;
}

/**
 * A single client, not connected yet. The loss of its session shows in its statements, which fail, and in its `end`
 * event.
 */
export function openClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  return client;
}

/** Whether statements of an executor go to any connection of a pool. */
export const isPool = (executor: unknown): executor is pg.Pool => executor instanceof pg.Pool;
