import { setTimeout as delay } from 'node:timers/promises';
import type { Database, Tx } from '../../../platform/db/index.ts';
import type { Logger } from '../../../platform/log/index.ts';
import type { LlmTokens } from '../port.ts';
import {
  costOf,
  type LlmLedger,
  type LlmLimits,
  type LlmPrice,
  type LlmReservation,
  type LlmReservationRequest,
} from './ledger.ts';
import {
  type BookedCall,
  type BudgetKey,
  findCall,
  finishCall,
  hasLostCalls,
  insertCall,
  listLostCalls,
  lockGate,
  moveBudget,
  noteMiss,
  readTraffic,
  reserveIn,
} from './store.ts';

export type LedgerOptions = {
  readonly database: Database;
  readonly log: Pick<Logger, 'error'>;
  /** Returns the current limits. Called for each reservation. */
  readonly limits: () => Promise<LlmLimits>;
  /** Maximum wait of a reservation for its turn. Default 20,000 ms. */
  readonly waitMs?: number;
  /** Time after its deadline in which a call can be booked. Then it counts as lost. Default 60,000 ms. */
  readonly bookingMs?: number;
};

const defaults = { waitMs: 20_000, bookingMs: 60_000 };
/** Pause between two tries to reserve: short compared with a call, long compared with a statement. */
const retryMs = 250;

/** Rolls back the transaction of a reservation that exceeds a budget. No budget is changed. */
class BudgetMiss extends Error {
  readonly key: BudgetKey;
  constructor(key: BudgetKey) {
    super('A budget has no room for a call.');
    this.key = key;
  }
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const totalOf = ({ input, output }: LlmTokens): number => input + output;

type Charged = Pick<BookedCall, 'userId' | 'actorId' | 'evaluationId'>;

/** An evaluation has one budget for its whole duration. This date is its constant key. */
const evaluationStartsOn = '2000-01-01';

/** Returns the budgets that a call is charged to, in the order in which they are locked. */
function budgetsOf({ userId, actorId, evaluationId }: Charged, at: Date): readonly BudgetKey[] {
  const startsOn = `${dayOf(at).slice(0, 7)}-01`;
  return [
    { scope: 'ServiceMonth', subjectId: 0, startsOn },
    ...(userId === null ? [] : [{ scope: 'UserDay', subjectId: userId, startsOn: dayOf(at) } as const]),
    ...(actorId === null ? [] : [{ scope: 'ActorMonth', subjectId: actorId, startsOn } as const]),
    ...(evaluationId === null
      ? []
      : [{ scope: 'EvalRun', subjectId: evaluationId, startsOn: evaluationStartsOn } as const]),
  ];
}

/** Returns the price at the time of the reservation. */
const priceOf = ({ inputPrice, outputPrice }: BookedCall): LlmPrice | null =>
  inputPrice === null || outputPrice === null
    ? null
    : { inputPerMillion: inputPrice, outputPerMillion: outputPrice };

/** Returns the limits of a budget. A monetary budget without prices allows no call: its limit could not be enforced. */
function limitsOf(
  limits: LlmLimits,
  scope: BudgetKey['scope'],
  { price, charge }: Pick<LlmReservationRequest, 'price' | 'charge'>,
) {
  switch (scope) {
    case 'UserDay':
      return { tokens: limits.dailyTokensPerUser, micros: null };
    case 'ActorMonth':
      return { tokens: charge.actor?.monthlyTokens ?? null, micros: null };
    case 'EvalRun':
      return { tokens: charge.evaluation?.maxTokens ?? null, micros: null };
    case 'ServiceMonth':
      return {
        tokens: price === null && limits.monthlyBudget !== null ? 0 : limits.monthlyTokens,
        micros: limits.monthlyBudget === null ? null : Math.floor(limits.monthlyBudget * 1_000_000),
      };
  }
}

/** Books a call under the gate lock: releases its reservation and adds its cost. */
async function book(
  tx: Tx,
  call: BookedCall,
  booking: { readonly tokens: LlmTokens; readonly outcome: string; readonly isLost: boolean },
): Promise<void> {
  const isOpen = call.inputTokens === null;
  const booked = (call.inputTokens ?? 0) + (call.outputTokens ?? 0);
  // The cost of a lost call is its bound. The bound has one token count for input and output, so `costOf` cannot be used.
  const micros = booking.isLost ? call.boundMicros : costOf(booking.tokens, priceOf(call));
  const change = {
    reserved: isOpen ? { tokens: -call.bound, micros: -call.boundMicros } : { tokens: 0, micros: 0 },
    spent: { tokens: totalOf(booking.tokens) - booked, micros: micros - (call.costMicros ?? 0) },
  };
  for (const key of budgetsOf(call, call.startedAt)) await moveBudget(tx, key, change);
  await finishCall(tx, call.id, { ...booking, micros });
}

/** Books all lost calls at their bound, because the provider's count is unknown. */
async function bookLost(tx: Tx, at: Date): Promise<void> {
  for (const call of await listLostCalls(tx, at))
    await book(tx, call, {
      tokens: { input: call.bound, output: 0, isEstimated: true },
      outcome: 'Lost',
      isLost: true,
    });
}

/**
 * Creates the ledger of calls in the metadata database, shared by all processes. Each action locks the gate row first, so
 * that two actions cannot deadlock.
 */
export function createLedger(options: LedgerOptions): LlmLedger & { readonly sweep: () => Promise<void> } {
  const { database, log, limits: readLimits, waitMs, bookingMs } = { ...defaults, ...options };

  const reserveNow = async (
    request: LlmReservationRequest,
    limits: LlmLimits,
  ): Promise<LlmReservation | 'not yet'> =>
    database.transaction(async (tx) => {
      const at = await lockGate(tx);
      await bookLost(tx, at);
      const bound = totalOf(request.bound);
      const { inFlight, calls, tokens } = await readTraffic(tx, at);
      const hasTurn =
        inFlight < limits.maxConcurrentCalls &&
        calls < limits.callsPerMinute &&
        tokens + bound <= limits.tokensPerMinute;
      if (!hasTurn) return 'not yet';
      const { price, charge, timeoutMs } = request;
      const amount = { tokens: bound, micros: costOf(request.bound, price) };
      const charged = {
        userId: charge.userId,
        actorId: charge.actor?.id ?? null,
        evaluationId: charge.evaluation?.id ?? null,
      };
      for (const key of budgetsOf(charged, at))
        if (!(await reserveIn(tx, key, amount, limitsOf(limits, key.scope, request))))
          throw new BudgetMiss(key);
      return { kind: 'Reserved', id: await insertCall(tx, request, { at, leaseMs: timeoutMs + bookingMs }) };
    });

  const settle = async (id: number, tokens: LlmTokens, outcome: string): Promise<void> =>
    database.transaction(async (tx) => {
      await lockGate(tx);
      const call = await findCall(tx, id);
      // A call is booked once. Only a call that the sweep booked as lost is corrected.
      if (call === undefined || (call.inputTokens !== null && !call.isLost)) return;
      if (totalOf(tokens) > call.bound)
        log.error({ callId: id, bound: call.bound, tokens }, 'a call took more tokens than its upper bound');
      await book(tx, call, { tokens, outcome, isLost: false });
    });

  return {
    reserve: async (request) => {
      const until = performance.now() + waitMs;
      for (;;) {
        try {
          const reservation = await reserveNow(request, await readLimits());
          if (reservation !== 'not yet') return reservation;
        } catch (error) {
          if (!(error instanceof BudgetMiss)) throw error;
          await noteMiss(database, error.key);
          return { kind: 'Missed', miss: error.key.scope === 'EvalRun' ? 'EvaluationSpent' : 'BudgetSpent' };
        }
        if (performance.now() + retryMs > until || request.signal.aborted)
          return { kind: 'Missed', miss: 'TooManyCalls' };
        await delay(retryMs, undefined, { signal: request.signal }).catch(() => undefined);
      }
    },
    settle: async (id, tokens, outcome) => {
      try {
        await settle(id, tokens, outcome);
      } catch (error) {
        log.error({ err: error, callId: id }, 'a call to the language model could not be booked');
      }
    },
    /** Books calls of crashed processes. */
    sweep: async () => {
      if (await hasLostCalls(database))
        await database.transaction(async (tx) => bookLost(tx, await lockGate(tx)));
    },
  };
}
