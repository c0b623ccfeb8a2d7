import type { GoldenRecheck } from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Database } from '../../platform/db/index.ts';
import { type CheckCall, type CheckStatement, recheckStatements } from '../statement-checks/index.ts';
import { checkExamplesJob } from './jobs.ts';
import { checkableGolden, markChecked } from './store.ts';

type RecheckDeps = {
  readonly database: Database;
  readonly check: CheckStatement;
  readonly now: () => Date;
};

const recheckedMax = 5_000;

/** Checks active examples again and marks broken examples. @param scope  Null members mean all projects or data sources. */
export const recheckExamples = async (
  { database, check, now }: RecheckDeps,
  scope: { readonly projectId: number | null; readonly dataSourceId: number | null },
  call: CheckCall,
): Promise<GoldenRecheck> =>
  recheckStatements(
    await checkableGolden(database, scope, recheckedMax),
    ({ sql }) => [sql],
    (example, checkedAt, reason) => markChecked(database, example, checkedAt, reason),
    { check, now, call },
  );

/** Checks the examples of a data source in jobs, after its schema changed. */
export const serveRechecks = (deps: RecheckDeps & { readonly jobs: Jobs }): void =>
  deps.jobs.handle(checkExamplesJob, async ({ dataSourceId }, { signal }) => {
    const scope = { projectId: null, dataSourceId };
    const { uncheckedCount, remainingCount } = await recheckExamples(deps, scope, {
      signal,
      callerId: 'golden examples',
    });
    const remaining = uncheckedCount + remainingCount;
    if (remaining > 0) throw new Error(`${remaining} golden examples could not be checked in this attempt.`);
  });
