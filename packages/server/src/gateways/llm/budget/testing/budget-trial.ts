import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import { createDatabase, type Database, openPool } from '../../../../platform/db/index.ts';
import { createLedger } from '../create-ledger.ts';
import type { LlmLimits } from '../ledger.ts';
import type { CallersSettings, CallersTold } from './callers.ts';

/** Report of a trial of budgets. Members that must be zero say so. */
export type BudgetTrialReport = {
  /** Killed processes. Their callers' reservations were open at that moment. */
  readonly kills: number;
  /** Calls that were booked by their own process. */
  readonly settled: number;
  /** Calls that exceeded a budget. */
  readonly missed: number;
  /** Statements that got no connection in time. The sweep books their calls. */
  readonly unconnected: number;
  /** Calls that the sweep booked. */
  readonly lost: number;
  /** Statements that would have exceeded a budget, and failed bookings. Must be 0. */
  readonly faults: readonly string[];
  /** Calls that are still open after the sweep. Must be 0. */
  readonly open: number;
  /** Tokens and millionths that are still reserved after the sweep. Must be 0. */
  readonly leaked: number;
  /** Difference between budgets and the sums of their calls. Must be 0. */
  readonly misbooked: number;
  /** Largest observed share of a limit that was spent or reserved. At most 1. */
  readonly largestShare: number;
};

export type BudgetTrialOptions = {
  /** A migrated database for this trial only. */
  readonly connection: pg.ClientConfig;
  readonly kills: number;
  readonly onKill?: (kills: number) => void;
};

const replicas = 2;
const callersEach = 32;
const price = { inputPerMillion: 2.5, outputPerMillion: 10 };
/** Room for only some of the 64 callers: a call's bound is 100 tokens and 550 millionths. */
const limits: LlmLimits = {
  monthlyTokens: 12_050,
  monthlyBudget: 0.0604,
  dailyTokensPerUser: 4_050,
  callsPerMinute: 1_000_000,
  tokensPerMinute: 1_000_000_000,
  maxConcurrentCalls: 10_000,
  callTimeoutSeconds: 1,
  maxPromptBytes: 64_000,
};
/** The sum is the lease of a call. It is short, so that lost calls are booked while other calls run. */
const timing = { timeoutMs: 500, bookingMs: 500, workMsMax: 15 };
const userNames = ['ana', 'bo', 'cy'] as const;
const aliveMsMax = 500;
const patienceMs = 60_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Constraint that fails each statement that would exceed a budget. */
const neverOver = `alter table svc.llm_budgets add constraint never_over check (case scope
  when 'ServiceMonth' then spent + reserved <= ${limits.monthlyTokens}
    and spent_micros + reserved_micros <= ${Math.round((limits.monthlyBudget ?? 0) * 1e6)}
  else spent + reserved <= ${limits.dailyTokensPerUser} end)`;

async function prepare(database: Database): Promise<number[]> {
  await database.query(neverOver);
  const { rows } = await database.query<{ id: number }>(
    `insert into svc.users (user_name, kind) select name, 'Internal' from unnest($1::text[]) name returning id`,
    [userNames],
  );
  return rows.map(({ id }) => id);
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** Reads the values that must be zero, after the last sweep. */
async function readEnd(database: Database) {
  const { rows } = await database.query<Pick<BudgetTrialReport, 'open' | 'leaked' | 'misbooked' | 'lost'>>(
    `with booked as (
       select 'ServiceMonth' as scope, 0 as subject_id, sum(input_tokens + output_tokens) as tokens, sum(cost_micros) as micros
       from svc.llm_calls
       union all select 'UserDay', user_id, sum(input_tokens + output_tokens), sum(cost_micros)
       from svc.llm_calls where user_id is not null group by user_id)
     select (select count(*)::int from svc.llm_calls where finished_at is null) as open,
       (select count(*)::int from svc.llm_calls where is_lost) as lost,
       (select coalesce(sum(reserved + reserved_micros), 0)::int from svc.llm_budgets) as leaked,
       (select coalesce(sum(abs(b.tokens - s.spent) + abs(b.micros - s.micros)), -1)::int from booked b join (
          select scope, subject_id, sum(spent) as spent, sum(spent_micros) as micros
          from svc.llm_budgets group by 1, 2) s using (scope, subject_id)) as misbooked`,
  );
  const [end] = rows;
  if (end === undefined) throw new Error('The database did not say how it ended.');
  return end;
}

async function shareNow(database: Database): Promise<number> {
  const { rows } = await database.query<{ share: number }>(
    `select coalesce(max(case scope when 'ServiceMonth' then (spent + reserved)::float8 / $1
       else (spent + reserved)::float8 / $2 end), 0) as share from svc.llm_budgets`,
    [limits.monthlyTokens, limits.dailyTokensPerUser],
  );
  return rows[0]?.share ?? 0;
}

/**
 * Lets 64 callers in two processes share one budget. Kills one of the processes repeatedly and starts a new one in its
 * place. The trial resets the budget when it is spent: reservations meet an empty and a full budget.
 */
export async function runBudgetTrial({
  connection,
  kills,
  onKill,
}: BudgetTrialOptions): Promise<BudgetTrialReport> {
  const database = createDatabase(openPool({ connection, max: 4 }));
  const totals = { settled: 0, missed: 0, unconnected: 0, faults: [] as string[] };
  let largestShare = 0;
  try {
    const userIds = await prepare(database);
    const settings: CallersSettings = { connection, callers: callersEach, userIds, limits, price, ...timing };
    const start = (): ChildProcess => {
      const child = fork(new URL('./callers.ts', import.meta.url), {
        execArgv: ['--conditions=svc-source'],
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      child.on('message', ({ settled, missed, unconnected, faults }: CallersTold) => {
        totals.settled += settled;
        totals.missed += missed;
        totals.unconnected += unconnected;
        totals.faults.push(...faults);
      });
      child.send(settings);
      return child;
    };
    const children = Array.from({ length: replicas }, start);
    for (let count = 1; count <= kills; count += 1) {
      const missedBefore = totals.missed;
      const until = performance.now() + patienceMs;
      await pause(Math.random() * aliveMsMax);
      // Waits until the budget is full in every other round: kills happen with and without room in the budget.
      while (count % 2 === 0 && totals.missed === missedBefore && performance.now() < until) await pause(20);
      largestShare = Math.max(largestShare, await shareNow(database));
      const at = count % replicas;
      const child = children[at];
      if (child) await kill(child);
      children[at] = start();
      if (totals.missed > missedBefore) await makeRoom(database);
      onKill?.(count);
    }
    await Promise.all(children.map(kill));
    await pause(timing.timeoutMs + timing.bookingMs + 100);
    const sweeper = createLedger({
      database,
      limits: async () => limits,
      log: { error: (detail: object) => void totals.faults.push(JSON.stringify(detail)) } as never,
    });
    await sweeper.sweep();
    return { kills, ...totals, ...(await readEnd(database)), largestShare };
  } finally {
    await database.pool.end();
  }
}

/** Simulates a new month: removes spent amounts and booked calls. Reservations are unchanged. */
async function makeRoom(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('select from svc.llm_gate for update');
    await tx.query('delete from svc.llm_calls where finished_at is not null and not is_lost');
    await tx.query(`update svc.llm_budgets b set spent = coalesce(l.tokens, 0), spent_micros = coalesce(l.micros, 0)
      from svc.llm_budgets o left join lateral (
        select sum(input_tokens + output_tokens) as tokens, sum(cost_micros) as micros from svc.llm_calls c
        where c.is_lost and (o.scope = 'ServiceMonth' or c.user_id = o.subject_id)) l on true
      where o.scope = b.scope and o.subject_id = b.subject_id and o.starts_on = b.starts_on`);
  });
}
