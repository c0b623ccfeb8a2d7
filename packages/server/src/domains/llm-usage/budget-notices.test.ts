import type { TestDatabase } from '@svc/testkit/database/database.ts';
import { startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { until } from '@svc/testkit/runs/until.ts';
import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type Database, openPool } from '../../platform/db/index.ts';
import { createBudgetNotices } from './budget-notices.ts';

let testDatabase: TestDatabase;
let database: Database;
let sentFacts: object[] = [];
const limits = {
  monthlyBudget: null as number | null,
  monthlyTokens: 1_000 as number | null,
  dailyTokensPerUser: 500,
  callsPerMinute: 1,
  tokensPerMinute: 1,
  maxConcurrentCalls: 1,
  callTimeoutSeconds: 1,
  maxPromptBytes: 1,
};
beforeAll(async () => {
  testDatabase = await createMigratedDatabase();
  database = createDatabase(openPool({ connection: testDatabase.connection, max: 4 }));
});
afterAll(async () => {
  await database.pool.end();
  await testDatabase.drop();
});
beforeEach(async () => {
  sentFacts = [];
  await database.query('truncate svc.llm_budgets');
});

const month = new Date().toISOString().slice(0, 7);
const notices = (over: Partial<typeof limits> = {}) =>
  createBudgetNotices({
    database,
    limits: async () => ({ ...limits, ...over }),
    tellResponsible: async (_tx, { facts }) => void sentFacts.push(facts),
  });
const thisMonth = `insert into svc.llm_budgets (scope, subject_id, starts_on)
  values ('ServiceMonth', 0, date_trunc('month', now() at time zone 'UTC')) on conflict do nothing`;
async function spend(set: string): Promise<void> {
  await database.query(thisMonth);
  await database.query(`update svc.llm_budgets set ${set}`);
}

describe('notices about the monthly budget', () => {
  test('are sent once at 80 % and once at 100 %, even if several processes check', async () => {
    await spend('spent = 799');
    await notices().check();
    expect(sentFacts).toEqual([]);
    await spend('spent = 800');
    await Promise.all([notices().check(), notices().check(), notices().check()]);
    expect(sentFacts).toEqual([{ percent: 80, month, isMoney: false }]);
    await spend('spent = 1000');
    await notices().check();
    await notices().check();
    expect(sentFacts).toEqual([
      { percent: 80, month, isMoney: false },
      { percent: 100, month, isMoney: false },
    ]);
  });

  test('report 100 % as soon as a call does not fit into the budget, and then never 80 %', async () => {
    await spend('spent = 850, missed_at = now()');
    await notices().check();
    await spend('missed_at = null');
    await notices().check();
    expect(sentFacts).toEqual([{ percent: 100, month, isMoney: false }]);
  });

  test('report the budget in money if it runs out before the tokens', async () => {
    await spend('spent = 10, spent_micros = 4000000');
    await notices({ monthlyBudget: 5 }).check();
    expect(sentFacts).toEqual([{ percent: 80, month, isMoney: true }]);
  });

  test('are not sent without a limit, or for the usage of another month', async () => {
    await spend('spent = 1000000, missed_at = now()');
    await notices({ monthlyTokens: null }).check();
    await spend(`starts_on = '2020-01-01'`);
    await notices().check();
    expect(sentFacts).toEqual([]);
  });
});

test('notices about the budget are visible to SecurityAdmins and not to an Editor', async () => {
  const fixture = await startRunFixture({ config: { 'Svc:LLM:MonthlyTokens': 1_000 } });
  try {
    const security = await fixture.person('security', 'SecurityAdmin');
    const editor = await fixture.person('editor', 'Editor');
    await fixture.svc.database.query(thisMonth);
    await fixture.svc.database.query('update svc.llm_budgets set spent = 900');
    const notice = await until(
      'the notice',
      async () => (await security.get('/svc/api/notices')).body.items[0],
    );
    expect(notice).toMatchObject({ kind: 'LlmBudget', subjectKind: 'Settings' });
    expect(notice.text).toBe(
      `80 % of what the language model may use in ${month} is spent. The limit is in the admin settings.`,
    );
    expect((await editor.get('/svc/api/notices')).body.items).toEqual([]);
  } finally {
    await fixture.close();
  }
}, 120_000);
