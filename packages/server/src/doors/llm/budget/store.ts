import type { Queryable, Tx } from '../../../platform/db/index.ts';
import type { LlmTokens } from '../port.ts';
import type { LlmReservationRequest } from './ledger.ts';

/** A budget of one span. */
export type BudgetKey = {
  readonly scope: 'ServiceMonth' | 'UserDay' | 'ActorMonth';
  readonly subjectId: number;
  readonly startsOn: string;
};

/** A call as far as its booking goes. */
export type BookedCall = {
  readonly id: number;
  readonly userId: number | null;
  readonly actorId: number | null;
  readonly startedAt: Date;
  readonly bound: number;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly isLost: boolean;
};

/** Takes the turn until the transaction ends; says the time at which it was taken. */
export async function lockGate(tx: Tx): Promise<Date> {
  await tx.query('select from svc.llm_gate for update');
  // Asked after the lock: a transaction that waited for it began long ago.
  const { rows } = await tx.query<{ at: Date }>('select clock_timestamp() as at');
  const [row] = rows;
  if (row === undefined) throw new Error('The database did not say the time.');
  return row.at;
}

/** The calls in flight, and the calls and tokens of the last minute. */
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

/** Sets tokens aside in a budget, if all that is spent and reserved stays within the limit. */
export async function reserveIn(
  tx: Tx,
  { scope, subjectId, startsOn }: BudgetKey,
  bound: number,
  limit: number | null,
): Promise<boolean> {
  await tx.query(
    `insert into svc.llm_budgets (scope, subject_id, starts_on) values ($1, $2, $3) on conflict do nothing`,
    [scope, subjectId, startsOn],
  );
  const { rowCount } = await tx.query(
    `update svc.llm_budgets set reserved = reserved + $4
     where scope = $1 and subject_id = $2 and starts_on = $3
       and ($5::bigint is null or spent + reserved + $4 <= $5::bigint)`,
    [scope, subjectId, startsOn, bound, limit],
  );
  return rowCount === 1;
}

/** Moves a budget by what a booking changes. */
export async function moveBudget(
  tx: Tx,
  { scope, subjectId, startsOn }: BudgetKey,
  change: { readonly reserved: number; readonly spent: number },
): Promise<void> {
  await tx.query(
    `update svc.llm_budgets set reserved = reserved + $4, spent = spent + $5
     where scope = $1 and subject_id = $2 and starts_on = $3`,
    [scope, subjectId, startsOn, change.reserved, change.spent],
  );
}

/** Records a call that is about to be sent. */
export async function insertCall(
  tx: Tx,
  { purpose, model, charge }: LlmReservationRequest,
  { at, bound, leaseMs }: { readonly at: Date; readonly bound: number; readonly leaseMs: number },
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into svc.llm_calls (purpose, model, user_id, project_id, started_at, lease_until, bound, ai_actor_id)
     values ($1, $2, $3, $4, $5, $5::timestamptz + $6 * interval '1 ms', $7, $8) returning id`,
    [purpose, model, charge.userId, charge.projectId, at, leaseMs, bound, charge.actor?.id ?? null],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The call was not recorded.');
  return row.id;
}

const callColumns = `id, user_id as "userId", ai_actor_id as "actorId", started_at as "startedAt", bound::float8 as bound,
  input_tokens::float8 as "inputTokens", output_tokens::float8 as "outputTokens", is_lost as "isLost"`;

/** A call, under the gate's lock. */
export async function findCall(tx: Tx, id: number): Promise<BookedCall | undefined> {
  const { rows } = await tx.query<BookedCall>(`select ${callColumns} from svc.llm_calls where id = $1`, [id]);
  return rows[0];
}

/** Calls whose lease has ended without a booking, under the gate's lock. */
export async function listLostCalls(tx: Tx, at: Date): Promise<BookedCall[]> {
  const { rows } = await tx.query<BookedCall>(
    `select ${callColumns} from svc.llm_calls where finished_at is null and lease_until < $1 order by id`,
    [at],
  );
  return rows;
}

/** Whether a call has lost its lease; asked without the lock. */
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
  booking: { readonly tokens: LlmTokens; readonly outcome: string; readonly isLost: boolean },
): Promise<void> {
  await tx.query(
    `update svc.llm_calls set finished_at = clock_timestamp(), input_tokens = $2, output_tokens = $3,
       is_estimated = $4, outcome = $5, is_lost = $6 where id = $1`,
    [
      id,
      booking.tokens.input,
      booking.tokens.output,
      booking.tokens.isEstimated,
      booking.outcome,
      booking.isLost,
    ],
  );
}
