import { createMigratedDatabase } from '@svc/testkit/service/migrated-database.ts';
import { expect, test } from 'vitest';
import { runBudgetTrial } from './testing/budget-trial.ts';

/** Kills per test run. `trials/llm/budget.ts` makes two hundred. */
const kills = 6;

test('64 callers in two processes that are killed exceed no budget and leave no reservation', async () => {
  const database = await createMigratedDatabase();
  try {
    const report = await runBudgetTrial({ connection: database.connection, kills });
    expect(report).toMatchObject({ faults: [], open: 0, leaked: 0, misbooked: 0 });
    expect(report.largestShare).toBeLessThanOrEqual(1);
    // The trial was effective: calls were booked, some exceeded a budget, and some were lost with their processes.
    expect(report.settled).toBeGreaterThan(100);
    expect(report.missed).toBeGreaterThan(0);
    expect(report.lost).toBeGreaterThan(0);
  } finally {
    await database.drop();
  }
}, 300_000);
