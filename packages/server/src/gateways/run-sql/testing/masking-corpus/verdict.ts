import { expect } from 'vitest';
import type { RunSql, RunStep } from '../../index.ts';
import { rowsOf } from '../results.ts';
import type { LabelledStatement } from './labelled.ts';

export type CorpusRun = {
  readonly runSql: RunSql;
  readonly dataSource: RunStep['dataSource'];
  readonly corpus: readonly LabelledStatement[];
  readonly rowsWanted?: number | undefined;
  /** Maximum share of the clear columns that may be masked. */
  readonly needlessShareMax: number;
};

/** Runs each statement. Expects no leak, and few masked clear columns. */
export async function expectCorpus({ corpus, needlessShareMax, ...run }: CorpusRun): Promise<void> {
  const leaks: string[] = [];
  const needless: string[] = [];
  for (const { sql, masked, clear } of corpus) {
    const masking = await maskedIn(sql, run);
    leaks.push(...masked.filter((name) => !masking.masked.has(name)).map((name) => `${name}: ${sql}`));
    if (masking.holdsSecret) leaks.push(sql);
    needless.push(...clear.filter((name) => masking.masked.has(name)).map((name) => `${name}: ${sql}`));
  }
  expect(leaks).toEqual([]);
  const clearCount = corpus.reduce((sum, { clear }) => sum + clear.length, 0);
  const share = needless.length / clearCount;
  expect(share, `${(share * 100).toFixed(2)} %\n${needless.join('\n')}`).toBeLessThanOrEqual(
    needlessShareMax,
  );
}

async function maskedIn(
  sql: string,
  { runSql, dataSource, rowsWanted }: Omit<CorpusRun, 'corpus' | 'needlessShareMax'>,
) {
  const result = await runSql
    .run({
      steps: [{ order: 1, sql, dataSource }],
      signal: new AbortController().signal,
      masking: { isEnabled: true },
      limits: { maxBytes: 10_000_000 },
      ...(rowsWanted !== undefined && { rowsWanted }),
    })
    .catch((error: unknown) => {
      throw new Error(`The engine refuses a statement of the corpus: ${sql}`, { cause: error });
    });
  const rows = await rowsOf(result);
  const { maskedColumns } = await result.finished;
  const names = maskedColumns.map((name) => name.replaceAll(' ', '_'));
  return { masked: new Set(names), holdsSecret: JSON.stringify(rows).includes('secret') };
}
