import { createEmptyDatabase } from '@svc/testkit/database/database.ts';
import { expect, onTestFinished, test } from 'vitest';
import { readVerdicts, stopReasonOf } from '../../../packages/server/src/operations/migration-verdicts.ts';
import { knownSchemas } from '../../../packages/server/src/operations/schemas.ts';
import { findPreviousVersion } from './checkout.ts';
import { runPreviousVersionTrial } from './trial.ts';

const windowMs = 5_000;
const recorded = readVerdicts();

test('the previous version under load tolerates every migration that the plan lets roll, and a breaking one is detected', async () => {
  const previous = findPreviousVersion();
  if (!previous) {
    console.warn(
      'NOT RUN: the history does not reach back to the previous version. Fetch it whole to run this trial.',
    );
    // This check needs no history: each rolling file of this version has a verdict on its exact text.
    const rolling = knownSchemas().flatMap(({ name, migrations }) =>
      migrations
        .filter((file) => stopReasonOf(recorded, name, file) === null)
        .map(({ checksum }) => checksum),
    );
    const allowed = recorded.filter(({ verdict }) => verdict === 'MayRoll').map(({ checksum }) => checksum);
    expect(allowed).toEqual(expect.arrayContaining(rolling));
    return;
  }
  const databases = { own: await createEmptyDatabase(), shop: await createEmptyDatabase() };
  onTestFinished(() => databases.own.drop());
  const planted = [
    { name: 'harmless', sql: 'alter table svc.subscriptions add column planted_harmless integer' },
    { name: 'breaking', sql: 'alter table svc.runs rename column origin to planted_breaking' },
  ];
  const report = await runPreviousVersionTrial({
    previous,
    databases,
    windowMs,
    lastWindowMs: windowMs,
    planted,
  });
  const mustRoll = recorded.filter(({ verdict }) => verdict === 'MayRoll').map(({ name }) => name);
  const stopped = report.verdicts.filter(({ verdict }) => verdict === 'MustStop').map(({ name }) => name);
  expect(stopped.filter((name) => mustRoll.includes(name))).toEqual([]);
  expect(stopped.at(-1)).toBe('breaking');
  expect([report.runs > 0, report.deliveries > 0]).toEqual([true, true]);
}, 900_000);
