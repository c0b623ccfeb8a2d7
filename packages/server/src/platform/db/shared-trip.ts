import type pg from 'pg';
import { type NamedQuery, sendTo, type Wire } from './named-query.ts';

/** Several statements that go to the server in one write, and whose answers come in one. */
class Trip implements pg.Submittable {
  /** Told once, when the server is ready for the next statement, or at an error. */
  callback: ((error: Error | null) => void) | undefined;
  readonly #asked: readonly NamedQuery[];
  #sent: readonly NamedQuery[] = [];
  #answered = 0;

  constructor(asked: readonly NamedQuery[]) {
    this.#asked = asked;
  }

  submit(connection: unknown): Error | null {
    const wire = connection as Wire;
    this.#sent = this.#asked.filter((query) => {
      const failure = query.prepare(wire);
      if (failure) query.handleError(failure);
      return failure === null;
    });
    if (this.#sent.length === 0) return new Error('None of the statements can be sent.');
    sendTo(wire, this.#sent);
    return null;
  }

  handleRowDescription(message: Parameters<NamedQuery['handleRowDescription']>[0]): void {
    this.#sent[this.#answered]?.handleRowDescription(message);
  }

  handleDataRow(message: Parameters<NamedQuery['handleDataRow']>[0]): void {
    this.#sent[this.#answered]?.handleDataRow(message);
  }

  handleCommandComplete(message: Parameters<NamedQuery['handleCommandComplete']>[0]): void {
    this.#sent[this.#answered]?.handleCommandComplete(message);
    this.#answered += 1;
  }

  handleEmptyQuery(): void {
    this.#answered += 1;
  }

  handleReadyForQuery(): void {
    for (const query of this.#sent) query.handleReadyForQuery();
    this.#end(null);
  }

  /** The server passes over everything after the statement that failed; a trip that never left fails as a whole. */
  handleError(error: Error): void {
    if (this.#sent.length === 0) for (const query of this.#asked) query.handleError(error);
    this.#sent.forEach((query, at) => {
      if (at < this.#answered) query.handleReadyForQuery();
      else query.handleError(error);
    });
    this.#end(error);
  }

  #end(error: Error | null): void {
    const told = this.callback;
    this.callback = undefined;
    told?.(error);
  }
}

/** Runs statements on one connection of the pool, and gives it back when the last one is answered. */
function runTogether(pool: pg.Pool, asked: readonly NamedQuery[]): void {
  if (asked.length === 0) return;
  pool.connect((refused, client) => {
    if (refused || client === undefined) {
      const error = refused ?? new Error('The pool gave no connection.');
      for (const query of asked) query.handleError(error);
      return;
    }
    let isOver = false;
    const giveBack = (error: Error | null | undefined): void => {
      if (isOver) return;
      isOver = true;
      client.removeListener('error', giveBack);
      client.release(error ?? undefined);
    };
    client.once('error', giveBack);
    const { connection } = client as unknown as { connection: Wire };
    if (asked.every((query) => query.isKnownTo(connection))) {
      const trip = new Trip(asked);
      trip.callback = giveBack;
      client.query(trip);
      return;
    }
    // A connection gets to know each statement by itself first.
    runInTurn(client, asked, giveBack);
  });
}

function runInTurn(
  client: pg.PoolClient,
  asked: readonly NamedQuery[],
  onEnd: (error?: Error) => void,
): void {
  const [first, ...later] = asked;
  if (first === undefined) {
    onEnd();
    return;
  }
  const tell = first.callback;
  first.callback = (error, result) => {
    tell?.(error, result);
    if (error) {
      for (const query of later) query.handleError(error);
      onEnd(error);
    } else runInTurn(client, later, onEnd);
  };
  client.query(first);
}

/**
 * Runs a named statement on a connection of the pool. One that is coalesced waits for the next one of the turn; with
 * `flush` those that wait go in one write with it also on a pool that has nothing else to do.
 */
export type Trips = (query: NamedQuery, when: 'ordinary' | 'coalesced' | 'flush') => Promise<pg.QueryResult>;

/**
 * What a request asks in one turn of the event loop can go to the database in one write: while others are at work on the
 * pool, a statement that is coalesced goes with the next one of the same turn, ahead of it. Else each goes alone,
 * at the end of the turn at the latest. For short statements that only read: they share a transaction, and when one
 * fails, those behind it fail with it.
 */
export function createTrips(pool: pg.Pool): Trips {
  let waiting: NamedQuery[] = [];
  const leave = (isTogether: boolean): void => {
    const asked = waiting;
    waiting = [];
    // A server that has nothing else to do answers sooner side by side; a busy one has less to do for one trip. Side by
    // side the one that came last, a page, goes first: it takes longest, and what waited for it is answered meanwhile.
    const isBusy = pool.idleCount < pool.totalCount;
    if (isBusy || isTogether) runTogether(pool, asked);
    else for (const query of asked.reverse()) runTogether(pool, [query]);
  };
  return (query, when) => {
    if (when !== 'coalesced' && waiting.length === 0) return pool.query(query) as never;
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => (result ? resolve(result) : reject(error));
      waiting.push(query);
      if (when !== 'coalesced') leave(when === 'flush');
      // At the end of the turn whatever has come in was read, bodies of requests too, and has asked what it will ask.
      else if (waiting.length === 1) setImmediate(leave, false);
    });
  };
}
