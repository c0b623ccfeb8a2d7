import type { GoldenRecheck } from '@svc/contract';
import type { Database } from '../../platform/db/index.ts';
import type { CheckStatement } from './service.ts';
import * as store from './store.ts';

/** Somebody waits for the answer. */
const budgetMs = 30_000;
const examplesMax = 5_000;

export type RecheckDeps = {
  readonly database: Database;
  readonly check: CheckStatement;
  readonly now: () => Date;
};

/** Asks the sources about the statements again, one after the other, and marks what does not run any more. */
export async function recheckGolden(
  { database, check, now }: RecheckDeps,
  projectId: number | null,
  call: Parameters<CheckStatement>[2],
): Promise<GoldenRecheck> {
  const due = await store.checkableGolden(database, projectId, examplesMax);
  const endsAt = now().getTime() + budgetMs;
  const counts = { checkedCount: 0, brokenCount: 0, uncheckedCount: 0 };
  // A source that is away would hold up each of its examples by its time limit.
  const away = new Set<number>();
  let done = 0;
  for (const example of due) {
    if (now().getTime() >= endsAt || call.signal.aborted) break;
    done += 1;
    if (away.has(example.dataSourceId)) {
      counts.uncheckedCount += 1;
      continue;
    }
    const { verdict, message } = await check(example.dataSourceId, example.sql, call);
    if (verdict === 'Unchecked') {
      away.add(example.dataSourceId);
      counts.uncheckedCount += 1;
      continue;
    }
    await store.markChecked(database, example, now(), verdict === 'Failed' ? message : null);
    counts.checkedCount += 1;
    if (verdict === 'Failed') counts.brokenCount += 1;
  }
  return { ...counts, remainingCount: due.length - done };
}
