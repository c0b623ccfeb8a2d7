import type pg from 'pg';
import { createDatabase, openPool } from '../../../../platform/db/index.ts';
import { createLedger } from '../create-ledger.ts';
import type { LlmLimits, LlmPrice, LlmReservationRequest } from '../ledger.ts';

/** Settings that a trial sends to a process of callers. */
export type CallersSettings = {
  readonly connection: pg.ClientConfig;
  readonly callers: number;
  readonly userIds: readonly number[];
  readonly limits: LlmLimits;
  readonly price: LlmPrice;
  /** Per call. */
  readonly timeoutMs: number;
  readonly bookingMs: number;
  /** Maximum simulated processing time of a provider. */
  readonly workMsMax: number;
};

/** Report that a process of callers sends periodically. */
export type CallersTold = {
  readonly settled: number;
  readonly missed: number;
  /** Calls that got no connection in time, as on an overloaded machine. The sweep books their reservations. */
  readonly unconnected: number;
  /** Violated constraints of the trial's database and failed bookings, as texts. */
  readonly faults: readonly string[];
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const upTo = (most: number): number => Math.floor(Math.random() * (most + 1));
const inputMax = 60;
const outputMax = 40;
const toldEveryMs = 50;
/** Messages of the pool and of the driver. */
const noConnection =
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout)$/;

function run(settings: CallersSettings): void {
  const { limits, userIds, price, timeoutMs } = settings;
  let settled = 0;
  let missed = 0;
  let unconnected = 0;
  let faults: string[] = [];
  const fault = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    if (noConnection.test(text)) unconnected += 1;
    else faults.push(text);
  };
  const pool = openPool({ connection: settings.connection, max: 8 });
  pool.on('error', () => undefined);
  const ledger = createLedger({
    database: createDatabase(pool),
    waitMs: 0,
    bookingMs: settings.bookingMs,
    limits: async () => limits,
    log: { error: ({ err, ...detail }: { err?: unknown }) => fault(err ?? JSON.stringify(detail)) } as never,
  });

  const callOnce = async (userId: number | null): Promise<void> => {
    const request: LlmReservationRequest = {
      purpose: 'Ask',
      model: 'a-model',
      charge: { userId, projectId: null },
      price,
      timeoutMs,
      promptHash: '0'.repeat(64),
      bound: { input: inputMax, output: outputMax, isEstimated: true },
      signal: new AbortController().signal,
    };
    const reservation = await ledger.reserve(request);
    if (reservation.kind === 'Missed') {
      missed += 1;
      return pause(20);
    }
    await pause(upTo(settings.workMsMax));
    const isCounted = upTo(9) > 0;
    const tokens = isCounted
      ? { input: upTo(inputMax), output: upTo(outputMax), isEstimated: false }
      : request.bound;
    await ledger.settle(reservation.id, tokens, 'Answered');
    settled += 1;
  };

  const caller = async (userId: number | null): Promise<never> => {
    for (;;) await callOnce(userId).catch(fault);
  };
  for (let at = 0; at < settings.callers; at += 1) void caller(userIds[at % (userIds.length + 1)] ?? null);
  setInterval(() => {
    process.send?.({ settled, missed, unconnected, faults } satisfies CallersTold);
    [settled, missed, unconnected, faults] = [0, 0, 0, []];
  }, toldEveryMs);
}

process.once('message', run);
// The trial has ended.
process.on('disconnect', () => process.exit());
