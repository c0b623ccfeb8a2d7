import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type Database, openPool } from '../../../platform/db/index.ts';
import { createLedger, type LedgerOptions } from './create-ledger.ts';
import type { LlmLimits, LlmReservationRequest } from './ledger.ts';

const noLimits: LlmLimits = {
  monthlyTokens: null,
  dailyTokensPerUser: null,
  monthlyBudget: null,
  callTimeoutSeconds: 60,
  maxPromptBytes: 64_000,
  callsPerMinute: 100_000,
  tokensPerMinute: 1_000_000_000,
  maxConcurrentCalls: 1_000,
};

let testDatabase: TestDatabase;
/** Two replicas that share only the database. */
let replicas: readonly [Database, Database];
let userId: number;
let logged: object[] = [];

beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  const { connection } = testDatabase;
  const open = () => createDatabase(openPool({ connection, max: 8 }));
  replicas = [open(), open()];
  const { rows } = await replicas[0].query<{ id: number }>(
    `insert into svc.users (user_name, kind) values ('ana', 'Internal') returning id`,
  );
  userId = rows[0]?.id ?? 0;
});
afterAll(async () => {
  for (const { pool } of replicas) await pool.end();
  await testDatabase.drop();
});
beforeEach(async () => {
  logged = [];
  await replicas[0].query('truncate svc.llm_calls, svc.llm_contents, svc.llm_budgets');
});

const ledgerOf = (
  database: Database,
  limits: Partial<LlmLimits> = {},
  more: Pick<LedgerOptions, 'waitMs'> = { waitMs: 0 },
) =>
  createLedger({
    database,
    limits: async () => ({ ...noLimits, ...limits }),
    log: { error: (detail: object) => logged.push(detail) } as LedgerOptions['log'],
    ...more,
  });

/** Returns a request of at most 100 tokens. */
const call = (more: Partial<LlmReservationRequest> = {}): LlmReservationRequest => ({
  purpose: 'Ask',
  model: 'a-model',
  charge: { userId: null, projectId: null },
  promptHash: '0'.repeat(64),
  price: null,
  timeoutMs: 60_000,
  bound: { input: 60, output: 40, isEstimated: true },
  signal: new AbortController().signal,
  ...more,
});
const ofUser = () => call({ charge: { userId, projectId: null } });
const used = { input: 20, output: 5, isEstimated: false };

const budgets = async () =>
  (
    await replicas[0].query<{ scope: string; spent: number; reserved: number }>(
      'select scope, spent::int, reserved::int from svc.llm_budgets order by scope',
    )
  ).rows;
const startEvaluations = async (count: number): Promise<number[]> => {
  const { rows } = await replicas[0].query<{ id: number }>(
    `insert into svc.eval_runs (golden_ids, repeats) select '{1}', 1 from generate_series(1, $1) returning id`,
    [count],
  );
  return rows.map(({ id }) => id);
};
const expireLeases = () =>
  replicas[0].query(
    `update svc.llm_calls set lease_until = now() - interval '1 second' where finished_at is null`,
  );

describe('a token budget', () => {
  test('is not exceeded by 64 callers at two replicas of which every third is lost before it settles', async () => {
    const limit = 2_050;
    const ledgers = replicas.map((database) => ledgerOf(database, { monthlyTokens: limit }));
    let mostHeld = 0;
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, async (_, n) => {
        const ledger = ledgers[n % 2];
        const reservation = await ledger?.reserve(call());
        if (reservation?.kind !== 'Reserved') return reservation?.miss;
        const [month] = await budgets();
        mostHeld = Math.max(mostHeld, (month?.spent ?? 0) + (month?.reserved ?? 0));
        if (n % 3 === 0) return 'lost';
        await ledger?.settle(reservation.id, { input: 60, output: 40, isEstimated: false }, 'Answered');
        return 'settled';
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'BudgetSpent')).toHaveLength(44);
    expect(outcomes).toContain('lost');
    expect(mostHeld).toBeLessThanOrEqual(limit);
    await expireLeases();
    await Promise.all(ledgers.map((ledger) => ledger.sweep()));
    expect(await budgets()).toEqual([{ scope: 'ServiceMonth', spent: 2_000, reserved: 0 }]);
    expect(logged).toEqual([]);
  });

  test('of a user for a day is not exceeded, and a refused call does not change the budget of the service', async () => {
    const ledger = ledgerOf(replicas[0], { dailyTokensPerUser: 150 });
    expect(await ledger.reserve(ofUser())).toMatchObject({ kind: 'Reserved' });
    expect(await ledger.reserve(ofUser())).toEqual({ kind: 'Missed', miss: 'BudgetSpent' });
    expect(await budgets()).toEqual([
      { scope: 'ServiceMonth', spent: 0, reserved: 100 },
      { scope: 'UserDay', spent: 0, reserved: 100 },
    ]);
  });

  test('of an evaluation is not exceeded by 64 callers at two replicas, and each evaluation has its own', async () => {
    const [one = 0, other = 0] = await startEvaluations(2);
    const ledgers = replicas.map((database) => ledgerOf(database));
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, async (_, n) => {
        const evaluation = { id: n % 4 < 2 ? one : other, maxTokens: n % 4 < 2 ? 1_050 : null };
        const ledger = ledgers[n % 2];
        const reservation = await ledger?.reserve(
          call({ charge: { userId: null, projectId: null, evaluation } }),
        );
        if (reservation?.kind !== 'Reserved') return reservation?.miss;
        await ledger?.settle(reservation.id, { input: 60, output: 40, isEstimated: false }, 'Answered');
        return 'settled';
      }),
    );
    expect(outcomes.filter((outcome) => outcome === 'EvaluationSpent')).toHaveLength(22);
    const { rows } = await replicas[0].query(
      'select scope, subject_id as id, spent::int, reserved::int from svc.llm_budgets order by scope, id',
    );
    expect(rows).toEqual([
      { scope: 'EvalRun', id: one, spent: 1_000, reserved: 0 },
      { scope: 'EvalRun', id: other, spent: 3_200, reserved: 0 },
      { scope: 'ServiceMonth', id: 0, spent: 4_200, reserved: 0 },
    ]);
  });

  test('of an evaluation continues when the month changes', async () => {
    const [id = 0] = await startEvaluations(1);
    const ledger = ledgerOf(replicas[0]);
    const evaluating = call({
      charge: { userId: null, projectId: null, evaluation: { id, maxTokens: 200 } },
    });
    const first = await ledger.reserve(evaluating);
    await replicas[0].query(`update svc.llm_calls set started_at = started_at - interval '32 days'`);
    if (first.kind === 'Reserved') await ledger.settle(first.id, used, 'Answered');
    expect(await ledger.reserve(evaluating)).toMatchObject({ kind: 'Reserved' });
    expect(await ledger.reserve(evaluating)).toEqual({ kind: 'Missed', miss: 'EvaluationSpent' });
    const [budget] = (await budgets()).filter(({ scope }) => scope === 'EvalRun');
    expect(budget).toEqual({ scope: 'EvalRun', spent: 25, reserved: 100 });
  });

  test('regains the tokens that a call did not use', async () => {
    const ledger = ledgerOf(replicas[0], { monthlyTokens: 125 });
    const first = await ledger.reserve(call());
    if (first.kind !== 'Reserved') throw new Error('There was room for it.');
    await ledger.settle(first.id, used, 'Answered');
    expect(await ledger.reserve(call())).toMatchObject({ kind: 'Reserved' });
    expect(await budgets()).toEqual([{ scope: 'ServiceMonth', spent: 25, reserved: 100 }]);
  });
});

describe('the booking of a call', () => {
  test('happens once, even if the call is settled twice', async () => {
    const ledger = ledgerOf(replicas[0]);
    const reservation = await ledger.reserve(call());
    if (reservation.kind !== 'Reserved') throw new Error('There was room for it.');
    await Promise.all([
      ledger.settle(reservation.id, used, 'Answered'),
      ledger.settle(reservation.id, used, 'Answered'),
    ]);
    expect(await budgets()).toEqual([{ scope: 'ServiceMonth', spent: 25, reserved: 0 }]);
  });

  test('is corrected if the call is settled after the sweep', async () => {
    const ledger = ledgerOf(replicas[0]);
    const reservation = await ledger.reserve(ofUser());
    if (reservation.kind !== 'Reserved') throw new Error('There was room for it.');
    await expireLeases();
    await ledger.sweep();
    expect((await budgets())[0]).toMatchObject({ spent: 100, reserved: 0 });
    await ledger.settle(reservation.id, used, 'Answered');
    expect(await budgets()).toEqual([
      { scope: 'ServiceMonth', spent: 25, reserved: 0 },
      { scope: 'UserDay', spent: 25, reserved: 0 },
    ]);
  });

  test('contains the actual tokens of a call that exceeded its bound, and this is logged', async () => {
    const ledger = ledgerOf(replicas[0]);
    const reservation = await ledger.reserve(call());
    if (reservation.kind !== 'Reserved') throw new Error('There was room for it.');
    await ledger.settle(reservation.id, { input: 100, output: 40, isEstimated: false }, 'Answered');
    expect(await budgets()).toEqual([{ scope: 'ServiceMonth', spent: 140, reserved: 0 }]);
    expect(logged).toHaveLength(1);
  });
});

describe('limits of calls', () => {
  test.each([
    ['concurrent calls', { maxConcurrentCalls: 1 }],
    ['calls per minute', { callsPerMinute: 1 }],
    ['tokens per minute', { tokensPerMinute: 199 }],
  ])('apply to both replicas together: %s', async (_, limits) => {
    expect(await ledgerOf(replicas[0], limits).reserve(call())).toMatchObject({ kind: 'Reserved' });
    expect(await ledgerOf(replicas[1], limits).reserve(call())).toEqual({
      kind: 'Missed',
      miss: 'TooManyCalls',
    });
  });

  test('let a waiting call start when the other one ends', async () => {
    const ledger = ledgerOf(replicas[0], { maxConcurrentCalls: 1 }, { waitMs: 20_000 });
    const first = await ledger.reserve(call());
    const second = ledger.reserve(call());
    if (first.kind === 'Reserved') await ledger.settle(first.id, used, 'Answered');
    expect(await second).toMatchObject({ kind: 'Reserved' });
  });
});
