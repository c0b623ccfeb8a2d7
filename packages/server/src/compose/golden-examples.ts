import type { Jobs } from '@svc/jobs';
import {
  createCandidatesService,
  createGoldenService,
  goldenRoutes,
} from '../domains/golden-examples/index.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import { checkStatementBy, type StatementCheckDeps } from './statement-check.ts';

/**
 * Composes golden examples: questions with a known answer. Their statements pass the same gates as those of AI
 * clients.
 */
export const composeGoldenExamples = (
  ground: Ground,
  deps: StatementCheckDeps & { readonly jobs: Jobs },
): Part => {
  const { database, audit, clock } = ground;
  const golden = createGoldenService({
    database,
    audit,
    jobs: deps.jobs,
    now: clock.now,
    check: checkStatementBy(ground, deps),
  });
  return { routes: goldenRoutes(golden, createCandidatesService({ database, audit, golden })) };
};
