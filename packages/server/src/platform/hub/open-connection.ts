import type { Caller } from '../access/caller.ts';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log/index.ts';
import { type Carrier, type EndCause, HubConnection } from './connection.ts';
import type { ConnectionIds } from './connection-ids.ts';
import type { HubLimits } from './limits.ts';
import type { Members } from './members.ts';

/** Times at which a caller must authenticate again, and at which the session ends. Undefined: the session has ended. */
export type DueTimes = { readonly checkAt: Date; readonly expiresAt?: Date } | undefined;

export type OpenConnection = (caller: Caller, id: string, carrier: Carrier) => HubConnection;

/**
 * Minimum time before a recheck. It prevents an endless reconnect loop for a check that is immediately due, or that
 * a fast clock makes due.
 */
const shortestLifeMs = 15_000;

/** Creates the function that registers a connection and reads the due times of its session. */
export function createOpenConnection(deps: {
  readonly clock: Clock;
  readonly log: Logger;
  readonly dueTimes: (caller: Caller) => Promise<DueTimes>;
  readonly limits: HubLimits;
  readonly ids: ConnectionIds;
  readonly members: Members;
}): OpenConnection {
  const { clock, log, limits, ids, members } = deps;

  const onOver = (connection: HubConnection, cause: EndCause | undefined): void => {
    members.remove(connection);
    const { userId } = connection.caller;
    const level = cause === 'SlowReader' ? 'info' : 'debug';
    log[level]({ connectionId: connection.id, userId, cause: cause ?? 'Client' }, 'a hub connection ended');
  };
  const onReleased = (connection: HubConnection): void => members.release(connection);

  const setDueTimes = async (connection: HubConnection): Promise<void> => {
    const soonest = clock.now().getTime() + shortestLifeMs;
    const due = await deps.dueTimes(connection.caller);
    if (!due) return connection.close({ cause: 'SessionEnded', error: 'The session is over.' });
    connection.dueAt = new Date(Math.max(due.checkAt.getTime(), soonest));
    connection.expiresAt = due.expiresAt;
  };

  return (caller, id, carrier) => {
    const connection = new HubConnection({ id, caller, limits, carrier, onOver, onReleased });
    members.add(connection);
    ids.markUsed(id);
    // Runs after the registration: a session that ends later ends the connection, and an earlier end is detected
    // here.
    setDueTimes(connection).catch((error: unknown) => {
      log.warn({ err: error }, 'the times of a session could not be read');
      connection.close({ cause: 'SessionDue', allowReconnect: true });
    });
    return connection;
  };
}
