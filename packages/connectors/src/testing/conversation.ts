import { describe, expect, it } from 'vitest';
import type { Connector, ExecuteOptions } from '../port.ts';
import { errorOf, rowsOf } from './results.ts';

/** Engine behind a service. By default a test server replaces the service. The service itself is used if an account exists. */
export type Conversation<Connection> = {
  readonly connector: Connector<Connection>;
  readonly connection: () => Connection;
  readonly dial: ExecuteOptions['dial'];
  /** A statement that does not end within the test. */
  readonly endless: string;
  /** Statements that are not a SELECT. */
  readonly writes: readonly string[];
};

const callOptions = (dial: ExecuteOptions['dial']): ExecuteOptions => ({
  dial,
  signal: new AbortController().signal,
  timeoutMs: 60_000,
  maxRows: 1_000,
  maxBytes: 1_000_000,
  maxCellBytes: 100_000,
});

/** Runs the tests that both the service and its test server must pass. */
export function describeConversation<Connection>(
  name: string,
  { connector, connection, dial, endless, writes }: Conversation<Connection>,
): void {
  const options = (change: Partial<ExecuteOptions> = {}) => ({ ...callOptions(dial), ...change });
  const { marker } = connector.dialect;

  describe(`a conversation with ${name}`, () => {
    it('starts with a successful connection test', async () => {
      expect(await connector.testConnection(connection(), options())).toMatchObject({ isOk: true });
    });

    it('returns rows in order with exact values and NULL', async () => {
      const plain = { sql: "select 9007199254740993 as n, 'ä' as t, null as x" };
      expect(await rowsOf(await connector.execute(connection(), plain, options()))).toEqual([
        ['9007199254740993', 'ä', null],
      ]);
    });

    it('passes values as parameters, outside the text', async () => {
      const values = [
        { type: 'Number', value: '9007199254740993' },
        { type: 'String', value: 'o\'x\\"`; --' },
        { type: 'String', value: null },
      ] as const;
      const list = values.map((value, at) => `${marker(at + 1, value)} as v${at}`).join(', ');
      const statement = { sql: `select ${list}`, values };
      expect(await rowsOf(await connector.execute(connection(), statement, options()))).toEqual([
        ['9007199254740993', 'o\'x\\"`; --', null],
      ]);
    });

    it('returns the position of an error in a statement', async () => {
      const error = await errorOf(connector.execute(connection(), { sql: 'select\n  nowhere' }, options()));
      expect(error).toMatchObject({ code: 'statement-failed', position: { line: 2, column: 3 } });
    });

    it('refuses statements that are not reads', async () => {
      for (const sql of writes)
        expect((await errorOf(connector.execute(connection(), { sql }, options()))).code, sql).toMatch(
          /^(not-a-read|more-than-one-statement)$/,
        );
    });

    it('returns the estimated cost of a statement', async () => {
      const { plan } = connector.dryRun ?? {};
      if (!plan) return;
      const rows = await rowsOf(
        await connector.execute(connection(), { sql: `${plan.prefix}select 1` }, options()),
      );
      expect(plan.readPlan(rows)).toMatchObject({ writes: false, estimatedCost: expect.any(Number) });
    });

    it('ends a statement at its own time limit, while one with a longer limit still runs', async () => {
      const stop = new AbortController();
      const outcomeOf = async (change: Partial<ExecuteOptions>) =>
        (await errorOf(connector.execute(connection(), { sql: endless }, options(change)).then(rowsOf))).code;
      const longer = outcomeOf({ timeoutMs: 600_000, signal: stop.signal });
      expect(await outcomeOf({ timeoutMs: 2_000 })).toBe('timed-out');
      stop.abort();
      expect(await longer).toBe('cancelled');
    });

    it('returns its tables', async () => {
      const metadata = await connector.readMetadata(connection(), { ...options(), tableNamesOnly: true });
      expect(metadata.tables.every(({ schema }) => metadata.schemas.includes(schema))).toBe(true);
    });
  });
}
