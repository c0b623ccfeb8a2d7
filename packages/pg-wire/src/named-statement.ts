// Whoever compiles this file without its folder needs the types beside it too.
/// <reference path="./pg-utils.d.ts" />
import type pg from 'pg';
import pgUtils from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import type { Wire } from './wire.ts';

/**
 * Sends statements, and the end of their transaction behind them, as one piece: a stream that is given the messages one
 * by one has to be held, and gives the system a list of pieces, which takes it longer than to put them together.
 */
export function sendTo({ stream }: Wire, statements: readonly NamedStatement[]): void {
  const messages = statements.flatMap((statement) => statement.messages());
  messages.push(serialize.sync());
  // A connection that has gone is told of by its own event.
  if (stream.writable) stream.write(Buffer.concat(messages));
}

/** How the rows of a statement are read. It stays as it is as long as the statement is prepared. */
type Plan = {
  readonly types: pg.CustomTypesConfig;
  readonly columns: readonly pg.FieldDef[];
  readonly parsers: readonly ((text: string) => unknown)[];
};

type Done = (error: Error | null, result?: pg.QueryResult) => void;

const plansOf = new WeakMap<Wire, Map<string, Plan>>();
const noColumns: readonly pg.FieldDef[] = [];

/**
 * A named statement for `client.query` and `pool.query`. On each connection it is parsed and described once; after
 * that only its values are sent, and only rows come back. What every request runs costs a third less than by the
 * general query of `pg`, which asks for the description each time.
 *
 * Rows are objects by column name; `fields` of the result stays empty.
 */
export class NamedStatement implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  /** Told once, when the server is ready for the next statement, or at its error. */
  callback: Done | undefined;
  readonly #types: pg.CustomTypesConfig;
  readonly #values: readonly unknown[];
  readonly #rows: pg.QueryResultRow[] = [];
  #wire: Wire | undefined;
  #bound: readonly unknown[] = [];
  #isParsed = false;
  #plan: Plan | undefined;
  #failure: Error | undefined;
  #command = '';
  #rowCount: number | null = null;

  constructor(statement: pg.QueryConfig & { name: string }, types: pg.CustomTypesConfig) {
    this.name = statement.name;
    this.text = statement.text;
    this.#values = statement.values ?? [];
    this.#types = statement.types ?? types;
  }

  /** Whether this connection has the statement prepared, and it has been described. */
  isKnownTo(connection: unknown): boolean {
    const wire = connection as Wire;
    return wire.parsedStatements[this.name] === this.text && plansOf.get(wire)?.has(this.name) === true;
  }

  /** Sends the statement. @returns an error when it cannot be sent; nothing has been written then. */
  submit(connection: unknown): Error | null {
    const wire = connection as Wire;
    const failure = this.prepare(wire);
    if (failure === null) sendTo(wire, [this]);
    return failure;
  }

  /** Makes the statement ready to be written to this connection. @returns why it cannot be. */
  prepare(wire: Wire): Error | null {
    const { name, text } = this;
    const known = wire.parsedStatements[name] ?? wire.submittedNamedStatements[name];
    if (known !== undefined && known !== text)
      return new Error(`The name "${name}" stands for another statement on this connection.`);
    try {
      this.#bound = this.#values.map((value) => pgUtils.prepareValue(value));
    } catch (error) {
      return error as Error;
    }
    this.#wire = wire;
    this.#isParsed = known !== undefined;
    if (this.#isParsed) this.#plan = this.#planFor(plansOf.get(wire)?.get(name));
    return null;
  }

  /** The messages that ask for it on the connection it was prepared for, without the end of its transaction. */
  messages(): Buffer[] {
    const { name, text } = this;
    const messages = [serialize.bind({ statement: name, values: this.#bound as unknown[] })];
    if (this.#plan === undefined) messages.push(serialize.describe({ type: 'P', name: '' }));
    messages.push(serialize.execute({}));
    if (this.#isParsed) return messages;
    (this.#wire as Wire).submittedNamedStatements[name] = text;
    return [serialize.parse({ name, text }), ...messages];
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.#plan = this.#keep(fields);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const plan = this.#plan;
    if (this.#failure !== undefined || plan === undefined) return;
    const { columns, parsers } = plan;
    const row: pg.QueryResultRow = {};
    try {
      for (let index = 0; index < fields.length; index += 1) {
        const text = fields[index] as string | null;
        row[(columns[index] as pg.FieldDef).name] = text === null ? null : parsers[index]?.(text);
      }
    } catch (error) {
      this.#failure = error as Error;
      return;
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const words = text.split(' ');
    this.#command = words[0] ?? '';
    const count = words.length > 1 ? Number(words.at(-1)) : Number.NaN;
    this.#rowCount = Number.isNaN(count) ? null : count;
  }

  handleEmptyQuery(): void {}

  handleReadyForQuery(): void {
    if (this.#failure !== undefined) {
      this.handleError(this.#failure);
      return;
    }
    // Described, and no description came: it answers no rows.
    this.#plan ??= this.#keep(noColumns);
    this.callback?.(null, {
      command: this.#command,
      rowCount: this.#rowCount,
      oid: 0,
      fields: [],
      rows: this.#rows,
    });
  }

  handleError(error: Error): void {
    const told = this.callback;
    this.callback = undefined;
    told?.(error);
  }

  #keep(columns: readonly pg.FieldDef[]): Plan {
    const types = this.#types;
    const parsers = columns.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'));
    const plan = { types, columns, parsers };
    const wire = this.#wire as Wire;
    let plans = plansOf.get(wire);
    if (plans === undefined) {
      plans = new Map();
      plansOf.set(wire, plans);
    }
    plans.set(this.name, plan);
    return plan;
  }

  /** A plan that was made with other parsers is made anew. */
  #planFor(plan: Plan | undefined): Plan | undefined {
    return plan === undefined || plan.types === this.#types ? plan : this.#keep(plan.columns);
  }
}

/** Whether a statement has a name: it is one of a few that run again and again. */
export const isNamed = <S extends pg.QueryConfig>(statement: S | string): statement is S & { name: string } =>
  typeof statement === 'object' && statement.name !== undefined;

/** Runs a named statement on a connection that is held. */
export const runNamed = (client: pg.ClientBase, statement: NamedStatement): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    statement.callback = (error, result) => (result ? resolve(result) : reject(error));
    client.query(statement);
  });
