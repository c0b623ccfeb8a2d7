import { startRunFixture } from '@svc/testkit/runs/run-fixture.ts';
import { createDatabase } from '../../platform/db/index.ts';
import type { TellResponsible } from '../notices/index.ts';
import { createWatchdog } from './watchdog.ts';

export type WatchdogFixture = Awaited<ReturnType<typeof startWatchdogFixture>>;

/**
 * Starts a service with one watchdog, which checks only when a test calls it. Without workers, no job starts and no
 * other watchdog runs.
 */
export async function startWatchdogFixture() {
  const fixture = await startRunFixture({ config: { 'Svc:Jobs:Workers': 0 } });
  /** Notices of the watchdog, oldest first. */
  const notices: Parameters<TellResponsible>[1][] = [];
  const watchdog = createWatchdog({
    database: createDatabase(fixture.svc.database),
    log: { warn: () => undefined } as never,
    tellResponsible: async (_tx, notice) => void notices.push(notice),
    graceSeconds: 300,
  });
  return {
    fixture,
    notices,
    check: () => watchdog.check(new AbortController().signal),
    sql: async (statement: string, values: unknown[] = []) =>
      (await fixture.svc.database.query(statement, values)).rows,
  };
}

/** SQL for New Year of this year, or `yearsAgo` years earlier. The schedule `yearly` fires at no other time. */
export const newYear = (yearsAgo: number) =>
  `(make_timestamptz(extract(year from now() at time zone 'UTC')::int - ${yearsAgo}, 1, 1, 0, 0, 0, 'UTC'))`;
