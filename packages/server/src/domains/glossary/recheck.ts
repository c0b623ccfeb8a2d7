import type { GlossaryRecheck } from '@svc/contract';
import type { Jobs } from '@svc/jobs';
import type { Database } from '../../platform/db/index.ts';
import { type CheckCall, recheckStatements } from '../statement-checks/index.ts';
import { checkTermsJob } from './jobs.ts';
import type { ProveDeps } from './prove.ts';
import { statementsOf, withoutPlace } from './statements.ts';
import { checkableTerms, markChecked } from './store.ts';

type RecheckDeps = Pick<ProveDeps, 'check' | 'dialectOf' | 'now'> & { readonly database: Database };

const recheckedMax = 5_000;

/** Checks active terms again and marks broken terms. @param scope  Null members mean all projects or data sources. */
export const recheckTerms = async (
  { database, check, dialectOf, now }: RecheckDeps,
  scope: { readonly projectId: number | null; readonly dataSourceId: number | null },
  call: CheckCall,
): Promise<GlossaryRecheck> =>
  recheckStatements(
    await checkableTerms(database, scope, recheckedMax),
    (term) => statementsOf(term, dialectOf(term.engine)),
    (term, checkedAt, reason) =>
      markChecked(database, term, checkedAt, reason === null ? null : withoutPlace(reason)),
    { check, now, call },
  );

/** Checks the terms of a data source in jobs, after its schema changed. */
export const serveRechecks = (deps: RecheckDeps & { readonly jobs: Jobs }): void =>
  deps.jobs.handle(checkTermsJob, async ({ dataSourceId }, { signal }) => {
    const scope = { projectId: null, dataSourceId };
    const { uncheckedCount, remainingCount } = await recheckTerms(deps, scope, {
      signal,
      callerId: 'glossary',
    });
    const remaining = uncheckedCount + remainingCount;
    if (remaining > 0) throw new Error(`${remaining} terms could not be checked in this attempt.`);
  });
