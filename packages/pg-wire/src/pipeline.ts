import type pg from 'pg';
import { type NamedStatement, sendTo } from './named-statement.ts';
import { type Wire, wireOf } from './wire.ts';

/** Several statements sent in one write, whose responses arrive together. */
class Pipeline implements pg.Submittable {
  /** Called once, when the server is ready for the next statement, or with an error. */
  callback: ((error: Error | null) => void) | undefined;
  readonly #asked: readonly NamedStatement[];
  #sent: readonly NamedStatement[] = [];
  #answered = 0;

  constructor(asked: readonly NamedStatement[]) {
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

  handleRowDescription(message: Parameters<NamedStatement['handleRowDescription']>[0]): void {
    this.#sent[this.#answered]?.handleRowDescription(message);
  }

  handleDataRow(message: Parameters<NamedStatement['handleDataRow']>[0]): void {
    this.#sent[this.#answered]?.handleDataRow(message);
  }

  handleCommandComplete(message: Parameters<NamedStatement['handleCommandComplete']>[0]): void {
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

  /** Fails the failed statement and all later ones, which the server skips. A pipeline that was never sent fails as a whole. */
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

/**
 * Runs statements on one connection of the pool and releases it after the last response. Uses one write when the
 * connection has prepared all statements. Each statement's own callback is called.
 */
export function runPipeline(pool: pg.Pool, asked: readonly NamedStatement[]): void {
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
    const wire = wireOf(client);
    if (asked.every((query) => query.isKnownTo(wire))) {
      const pipeline = new Pipeline(asked);
      pipeline.callback = giveBack;
      client.query(pipeline);
      return;
    }
    // The first run on a connection prepares each statement separately.
    runInTurn(client, asked, giveBack);
  });
}

function runInTurn(
  client: pg.PoolClient,
  asked: readonly NamedStatement[],
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
