import type { Jobs } from '@svc/jobs';
import { createGlossaryService, glossaryRoutes } from '../../domains/glossary/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { DataSourcesModule } from '../sources/data-sources.ts';
import { checkStatementBy, type StatementCheckDeps } from '../sources/statement-check.ts';

type GlossaryDeps = Pick<StatementCheckDeps, 'gateway'> & {
  readonly jobs: Jobs;
  readonly sources: Pick<DataSourcesModule, 'openDataSources' | 'linkedSources'>;
};

/** Composes the glossary of projects. The engines check that the definitions of its terms exist. */
export const composeGlossary = (infra: Infrastructure, deps: GlossaryDeps): Module => {
  const { database, audit, clock } = infra;
  const glossary = createGlossaryService({
    database,
    audit,
    jobs: deps.jobs,
    now: clock.now,
    check: checkStatementBy(infra, deps),
    dialectOf: deps.gateway.dialectOf,
    sourcesOf: deps.sources.linkedSources.of,
  });
  return { routes: glossaryRoutes(glossary) };
};
