import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { runBudgetTrial } from '../../packages/server/src/gateways/llm/budget/testing/budget-trial.ts';
import { startBuiltInCluster } from '../../packages/server/src/platform/db/built-in/index.ts';
import { migrate, readMigrations } from '../../packages/server/src/platform/db/migrate.ts';

/**
 * `node --conditions=svc-source trials/llm/budget.ts [kills]`: kills callers of one budget by SIGKILL, 200 times by
 * default.
 */
const kills = Number(process.argv[2] ?? 200);
const cluster = await startBuiltInCluster({ dataDirectory: path.join(os.tmpdir(), 'svc-llm-budget') });
try {
  const database = `llm_budget_${Date.now()}`;
  const admin = new pg.Client(cluster.admin());
  await admin.connect();
  await admin.query(`create database ${database}`);
  await admin.end();
  const connection = cluster.admin(database);
  const inside = new pg.Client(connection);
  await inside.connect();
  await migrate(inside, readMigrations());
  await inside.end();
  const onKill = (count: number) => count % 20 === 0 && console.log(`${count} kills`);
  const report = await runBudgetTrial({ connection, kills, onKill: (count) => void onKill(count) });
  console.log(JSON.stringify(report, null, 2));
  const { faults, open, leaked, misbooked, largestShare } = report;
  const isRight = faults.length + open + leaked + misbooked === 0 && largestShare <= 1;
  process.exitCode = isRight ? 0 : 1;
} finally {
  await cluster.stop();
}
