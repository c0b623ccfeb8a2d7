import type { Queryable, Tx } from '../../../platform/db/index.ts';
import type { LlmTokens } from '../port.ts';
import { costOf, type LlmReservationRequest } from './ledger.ts';

/** Key of a budget: scope, subject and start of its period. */
export type BudgetKey = {
  readonly scope: 'ServiceMonth' | 'UserDay' | 'ActorMonth' | 'EvalRun';
  readonly subjectId: number;
  readonly startsOn: string;
};

/** Tokens, and their cost in millionths. */
export type Amount = { readonly tokens: number; readonly micros: number };

/** The columns of a call that a booking needs. */
export type BookedCall = {
  readonly id: number;
  readonly userId: number | null;
  readonly actorId: number | null;
  readonly evaluationId: number | null;
  readonly startedAt: Date;
  readonly bound: number;
  readonly boundMicros: number;
  readonly inputPrice: number | null;
  readonly outputPrice: number | null;
  readonly costMicros: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly isLost: boolean;
};

/** Locks the gate row until the transaction ends. Returns the time at which the lock was acquired. */
export async function lockGate(tx: Tx): Promise<Date> {
  await tx.query('select from svc.llm_gate for update');
  // Queried after the lock: `now()` would be the start of the transaction, before the wait.
  const { rows } = await tx.query<{ at: Date }>('select clock_timestamp() as at');
  const [row] = rows;
  if (row === undefined) throw new Error('The database did not say the time.');
  return row.at;
}

/** Returns the calls in flight, and the calls and tokens of the last minute. */
export async function readTraffic(
  tx: Tx,
  at: Date,
): Promise<{ readonly inFlight: number; readonly calls: number; readonly tokens: number }> {
  const { rows } = await tx.query<{ inFlight: number; calls: number; tokens: number }>(
    `select count(*) filter (where finished_at is null)::int as "inFlight",
       count(*) filter (where started_at > $1::timestamptz - interval '1 minute')::int as calls,
       coalesce(sum(case when finished_at is null then bound else input_tokens + output_tokens end)
         filter (where started_at > $1::timestamptz - interval '1 minute'), 0)::float8 as tokens
     from svc.llm_calls where finished_at is null or started_at > $1::timestamptz - interval '1 minute'`,
    [at],
  );
  return rows[0] ?? { inFlight: 0, calls: 0, tokens: 0 };
}

/** Reserves an amount in a budget if spent and reserved amounts stay within the limits. Null: no limit. */
export async function reserveIn(
  tx: Tx,
  { scope, subjectId, startsOn }: BudgetKey,
  bound: Amount,
  limit: { readonly tokens: number | null; readonly micros: number | null },
): Promise<boolean> {
  await tx.query(
    `insert into svc.llm_budgets (scope, subject_id, starts_on) values ($1, $2, $3) on conflict do nothing`,
    [scope, subjectId, startsOn],
  );
  const { rowCount } = await tx.query(
    `update svc.llm_budgets set reserved = reserved + $4, reserved_micros = reserved_micros + $5
     where scope = $1 and subject_id = $2 and starts_on = $3
       and ($6::bigint is null or spent + reserved + $4 <= $6::bigint)
       and ($7::bigint is null or spent_micros + reserved_micros + $5 <= $7::bigint)`,
    [scope, subjectId, startsOn, bound.tokens, bound.micros, limit.tokens, limit.micros],
  );
  return rowCount === 1;
}

/** Records that a budget had no room for a call. */
export async function noteMiss(
  executor: Queryable,
  { scope, subjectId, startsOn }: BudgetKey,
): Promise<void> {
  await executor.query(
    `insert into svc.llm_budgets (scope, subject_id, starts_on, missed_at) values ($1, $2, $3, clock_timestamp())
     on conflict (scope, subject_id, starts_on) do update set missed_at = excluded.missed_at
       where llm_budgets.missed_at is null`,
    [scope, subjectId, startsOn],
  );
}

/** Adds the changes of a booking to a budget. */
export async function moveBudget(
  tx: Tx,
  { scope, subjectId, startsOn }: BudgetKey,
  { reserved, spent }: { readonly reserved: Amount; readonly spent: Amount },
): Promise<void> {
  await tx.query(
    `update svc.llm_budgets set reserved = reserved + $4, spent = spent + $5,
       reserved_micros = reserved_micros + $6, spent_micros = spent_micros + $7
     where scope = $1 and subject_id = $2 and starts_on = $3`,
    [scope, subjectId, startsOn, reserved.tokens, spent.tokens, reserved.micros, spent.micros],
  );
}

/** Inserts a call that is about to be sent. */
export async function insertCall(
  tx: Tx,
  { purpose, model, charge, promptHash, price, bound }: LlmReservationRequest,
  { at, leaseMs }: { readonly at: Date; readonly leaseMs: number },
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.llm_calls (purpose, model, user_id, project_id, started_at, lease_until, bound,
       bound_micros, input_price, output_price, ai_actor_id, prompt_hash, eval_run_id)
     values ($1, $2, $3, $4, $5, $5::timestamptz + $6 * interval '1 ms', $7, $8, $9, $10, $11, $12, $13) returning id`,
    [
      purpose,
      model,
      charge.userId,
      charge.projectId,
      at,
      leaseMs,
      bound.input + bound.output,
      costOf(bound, price),
      price?.inputPerMillion ?? null,
      price?.outputPerMillion ?? null,
      charge.actor?.id ?? null,
      promptHash,
      charge.evaluation?.id ?? null,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The call was not recorded.');
  return row.id;
}

const callColumns = `id, user_id as "userId", ai_actor_id as "actorId", eval_run_id as "evaluationId",
  started_at as "startedAt", bound::float8 as bound,
  bound_micros::float8 as "boundMicros", input_price::float8 as "inputPrice", output_price::float8 as "outputPrice",
  cost_micros::float8 as "costMicros", input_tokens::float8 as "inputTokens", output_tokens::float8 as "outputTokens", is_lost as "isLost"`;

/** Reads a call. The caller has the gate lock. */
export async function findCall(tx: Tx, id: number): Promise<BookedCall | undefined> {
  const { rows } = await tx.query<BookedCall>(`select ${callColumns} from svc.llm_calls where id = $1`, [id]);
  return rows[0];
}

/** Lists calls with an expired lease and no booking. The caller has the gate lock. */
export async function listLostCalls(tx: Tx, at: Date): Promise<BookedCall[]> {
  const { rows } = await tx.query<BookedCall>(
    `select ${callColumns} from svc.llm_calls where finished_at is null and lease_until < $1 order by id`,
    [at],
  );
  return rows;
}

/** Returns true if a call has lost its lease. Reads without the lock. */
export async function hasLostCalls(executor: Queryable): Promise<boolean> {
  const { rows } = await executor.query(
    'select from svc.llm_calls where finished_at is null and lease_until < clock_timestamp() limit 1',
  );
  return rows.length > 0;
}

/** Writes the booking of a call. */
export async function finishCall(
  tx: Tx,
  id: number,
  booking: {
    readonly tokens: LlmTokens;
    readonly micros: number;
    readonly outcome: string;
    readonly isLost: boolean;
  },
): Promise<void> {
  await tx.query(
    `update svc.llm_calls set finished_at = clock_timestamp(), input_tokens = $2, output_tokens = $3,
       is_estimated = $4, outcome = $5, is_lost = $6, cost_micros = $7 where id = $1`,
    [
      id,
      booking.tokens.input,
      booking.tokens.output,
      booking.tokens.isEstimated,
      booking.outcome,
      booking.isLost,
      booking.micros,
    ],
  );
}
