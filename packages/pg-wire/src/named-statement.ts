// Compilers that include this file without its folder need these types too.
/// <reference path="./pg-utils.d.ts" />
import type pg from 'pg';
import pgUtils from 'pg/lib/utils.js';
import { serialize } from 'pg-protocol';
import type { Wire } from './wire.ts';

/**
 * Sends statements and the end of their transaction as one buffer. Separate writes would require a corked stream and a
 * vectored write, which is slower than one concatenation.
 */
export function sendTo({ stream }: Wire, statements: readonly NamedStatement[]): void {
  const messages = statements.flatMap((statement) => statement.messages());
  messages.push(serialize.sync());
  // The connection's own event reports a lost connection.
  if (stream.writable) stream.write(Buffer.concat(messages));
}

/** Column names and parsers for the rows of a statement. Valid while the statement is prepared. */
type Plan = {
  readonly types: pg.CustomTypesConfig;
  readonly columns: readonly pg.FieldDef[];
  readonly parsers: readonly ((text: string) => unknown)[];
};

type Done = (error: Error | null, result?: pg.QueryResult) => void;

const plansOf = new WeakMap<Wire, Map<string, Plan>>();
const noColumns: readonly pg.FieldDef[] = [];

/**
 * Named statement for `client.query` and `pool.query`. Each connection parses and describes it once. Afterwards only
 * its values are sent and only rows are received. This costs a third less than the general query of `pg`, which
 * requests the description each time.
 *
 * Rows are objects by column name; `fields` of the result is always empty.
 */
export class NamedStatement implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  /** Called once, when the server is ready for the next statement, or with the error. */
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

  /** Returns true when this connection has prepared and described the statement. */
  isKnownTo(connection: unknown): boolean {
    const wire = connection as Wire;
    return wire.parsedStatements[this.name] === this.text && plansOf.get(wire)?.has(this.name) === true;
  }

  /** Sends the statement. @returns an error when it cannot be sent; nothing was written then. */
  submit(connection: unknown): Error | null {
    const wire = connection as Wire;
    const failure = this.prepare(wire);
    if (failure === null) sendTo(wire, [this]);
    return failure;
  }

  /** Prepares the statement for this connection. @returns an error when it cannot be sent. */
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

  /** Returns the messages for the prepared connection, without the end of the transaction. */
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
    // The statement was described, but no description arrived: it returns no rows.
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

  /** Returns the plan, recreated if it was created with other parsers. */
  #planFor(plan: Plan | undefined): Plan | undefined {
    return plan === undefined || plan.types === this.#types ? plan : this.#keep(plan.columns);
  }
}

/** Returns true for a statement with a name: one of a few that run repeatedly. */
export const isNamed = <S extends pg.QueryConfig>(statement: S | string): statement is S & { name: string } =>
  typeof statement === 'object' && statement.name !== undefined;

/** Runs a named statement on a client. */
export const runNamed = (client: pg.ClientBase, statement: NamedStatement): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    statement.callback = (error, result) => (result ? resolve(result) : reject(error));
    client.query(statement);
  });
