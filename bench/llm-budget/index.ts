import pg from 'pg';
import { createLedger } from '../../packages/server/src/gateways/llm/budget/create-ledger.ts';
import type { LlmLimits } from '../../packages/server/src/gateways/llm/budget/ledger.ts';
import { runBudgetTrial } from '../../packages/server/src/gateways/llm/budget/testing/budget-trial.ts';
import { createDatabase, openPool } from '../../packages/server/src/platform/db/index.ts';
import { migrate, readMigrations } from '../../packages/server/src/platform/db/migrate.ts';
import type { Bench } from '../run/bench.ts';
import { type BenchDatabase, startBenchDatabase } from '../run/database.ts';
import { printCase, rounded } from '../run/report.ts';
import type { Figure } from '../run/result.ts';
import { inTurns, type Numbers } from '../run/rounds.ts';

const kills = 10;
const callsEachRound = 200;
const callersAtOnce = 8;

const limits: LlmLimits = {
  monthlyTokens: 1_000_000_000,
  monthlyBudget: 1_000_000,
  dailyTokensPerUser: 1_000_000_000,
  callsPerMinute: 1_000_000,
  tokensPerMinute: 1_000_000_000,
  maxConcurrentCalls: 10_000,
  callTimeoutSeconds: 60,
  maxPromptBytes: 64_000,
};
const bound = { input: 6_000, output: 2_000, isEstimated: true };
const used = { input: 4_000, output: 300, isEstimated: false };

const empty = 'truncate svc.llm_calls, svc.llm_contents, svc.llm_budgets';

/** Makes the calls of one round with the given concurrency. Returns ms per call and calls per second. */
async function measure(callers: number, callOnce: () => Promise<void>): Promise<Numbers> {
  let left = callsEachRound;
  const beganMs = performance.now();
  const caller = async (): Promise<void> => {
    for (; left > 0; left -= 1) await callOnce();
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const tookMs = performance.now() - beganMs;
  return { ms: tookMs / callsEachRound, callsPerSecond: (callsEachRound / tookMs) * 1_000 };
}

/** Minimal budget: a conditional update and an insert before the call, and two updates after it. */
async function callBarely(pool: pg.Pool): Promise<void> {
  const reserved = await inTransaction(pool, async (query) => {
    await query(
      `update svc.llm_budgets set reserved = reserved + $1 where scope = 'ServiceMonth' and spent + reserved + $1 <= $2`,
      [8_000, limits.monthlyTokens],
    );
    const insert = `insert into svc.llm_calls (purpose, model, started_at, lease_until, bound)
      values ('Ask', 'm', now(), now(), $1) returning id`;
    return query(insert, [8_000]);
  });
  await inTransaction(pool, async (query) => {
    await query(
      `update svc.llm_budgets set reserved = reserved - $1, spent = spent + $2 where scope = 'ServiceMonth'`,
      [8_000, 4_300],
    );
    await query(
      'update svc.llm_calls set finished_at = now(), input_tokens = $1, output_tokens = $2 where id = $3',
      [4_000, 300, reserved.rows[0]?.['id']],
    );
  });
}

type Query = (text: string, values: unknown[]) => Promise<pg.QueryResult<Record<string, unknown>>>;

async function inTransaction<T>(pool: pg.Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work((text, values) => client.query({ name: text.slice(0, 60), text, values }));
    await client.query('commit');
    return result;
  } finally {
    client.release();
  }
}

/** Measures the cost of the budgets per call, compared with the minimal statements. */
async function measureCost(database: BenchDatabase, rounds: number): Promise<Figure[]> {
  const pool = new pg.Pool({ ...database.connection, max: callersAtOnce });
  const own = createDatabase(openPool({ connection: database.connection, max: callersAtOnce }));
  const rowOfMonth = `insert into svc.llm_budgets (scope, subject_id, starts_on) values ('ServiceMonth', 0, '2031-01-01')`;
  const ledger = createLedger({
    database: own,
    limits: async () => limits,
    waitMs: 60_000,
    log: { error: (detail: object) => process.stdout.write(`${JSON.stringify(detail)}\n`) } as never,
  });
  const callWithLedger = async (userId: number): Promise<void> => {
    const reservation = await ledger.reserve({
      purpose: 'Ask',
      model: 'm',
      charge: { userId, projectId: null },
      bound,
      timeoutMs: 60_000,
      price: { inputPerMillion: 2.5, outputPerMillion: 10 },
      promptHash: '0'.repeat(64),
      signal: new AbortController().signal,
    });
    if (reservation.kind !== 'Reserved') throw new Error('There was no room for a call.');
    await ledger.settle(reservation.id, used, 'Answered');
  };
  try {
    const [user] = await database.sql<{ id: number }>(
      `insert into svc.users (user_name, kind) values ('bench', 'Internal') returning id`,
    );
    const figures: Figure[] = [];
    for (const callers of [1, callersAtOnce]) {
      const turns = await inTurns(
        [
          {
            name: 'bare statements',
            measure: async () => {
              await database.sql(empty);
              await database.sql(rowOfMonth);
              return measure(callers, () => callBarely(pool));
            },
          },
          {
            name: 'ledger',
            measure: async () => {
              await database.sql(empty);
              return measure(callers, () => callWithLedger(user?.id ?? 0));
            },
          },
        ],
        rounds,
      );
      const title = `reserve and settle, ${callers === 1 ? 'one caller' : `${callers} callers`}`;
      const columns = [
        { title: 'ms', number: 'ms', digits: 2 },
        { title: 'calls/s', number: 'callsPerSecond', digits: 0 },
      ];
      figures.push(
        ...printCase(title, turns, 'bare statements', columns, { number: 'ms', isMoreBetter: false }),
      );
    }
    return figures;
  } finally {
    await pool.end();
    await own.pool.end();
  }
}

const bounded = (title: string, unit: string, value: number, valueMax: number | null): Figure => ({
  title,
  unit,
  against: null,
  values: [rounded(value)],
  floorValues: [],
  ratios: [],
  pairs: null,
  target: valueMax === null ? null : { valueMax },
});

/** Tests 64 concurrent callers of one budget in two processes that are killed. */
async function torture(): Promise<Figure[]> {
  const database = await startBenchDatabase();
  try {
    await migrateIn(database);
    const beganMs = performance.now();
    const report = await runBudgetTrial({ connection: database.connection, kills });
    const seconds = (performance.now() - beganMs) / 1_000;
    process.stdout.write(`\n64 callers, two processes, ${kills} kills\n  ${JSON.stringify(report)}\n`);
    const title = `64 callers, two processes, ${kills} kills`;
    return [
      bounded(title, 'statements over a limit', report.faults.length, 0),
      bounded(title, 'tokens still reserved after the sweep', report.leaked + report.open, 0),
      bounded(title, 'tokens booked wrong', report.misbooked, 0),
      bounded(title, 'largest share of a budget that was held', report.largestShare, 1),
      bounded(title, 'calls lost with their process', report.lost, null),
      bounded(title, 'calls booked', report.settled, null),
      bounded(title, 'calls refused', report.missed, null),
      bounded(title, 'calls/s', (report.settled + report.lost) / seconds, null),
    ];
  } finally {
    await database.stop();
  }
}

async function migrateIn({ connection }: BenchDatabase): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await migrate(client, readMigrations());
  await client.end();
}

/** Measures the cost of budgets per call, and tests that lost processes do not break them. */
export const bench: Bench = {
  purpose:
    'reserving and booking a call to the language model under all limits, against the statements of one budget; and 64 callers of one budget whose processes are killed',
  run: async ({ rounds }) => {
    const database = await startBenchDatabase();
    try {
      await migrateIn(database);
      return [...(await measureCost(database, rounds)), ...(await torture())];
    } finally {
      await database.stop();
    }
  },
};
