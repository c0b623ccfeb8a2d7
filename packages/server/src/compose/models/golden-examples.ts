import type { Jobs } from '@svc/jobs';
import {
  createCandidatesService,
  createGoldenService,
  goldenRoutes,
} from '../../domains/golden-examples/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import { checkStatementBy, type StatementCheckDeps } from '../sources/statement-check.ts';

/**
 * Composes golden examples: questions with a known answer. Their statements pass the same gates as those of AI
 * clients.
 */
export const composeGoldenExamples = (
  infra: Infrastructure,
  deps: StatementCheckDeps & { readonly jobs: Jobs },
): Module => {
  const { database, audit, clock } = infra;
  const golden = createGoldenService({
    database,
    audit,
    jobs: deps.jobs,
    now: clock.now,
    check: checkStatementBy(infra, deps),
  });
  return { routes: goldenRoutes(golden, createCandidatesService({ database, audit, golden })) };
};
