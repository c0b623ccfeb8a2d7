import type { Jobs } from '@svc/jobs';
import { createGlossaryService, glossaryRoutes } from '../domains/glossary/index.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import { checkStatementBy, type StatementCheckDeps } from './statement-check.ts';

type GlossaryDeps = Pick<StatementCheckDeps, 'door'> & {
  readonly jobs: Jobs;
  readonly sources: Pick<DataSourcesPart, 'openDataSources' | 'linkedSources'>;
};

/** Composes the glossary of projects. The engines check that the definitions of its terms exist. */
export const composeGlossary = (ground: Ground, deps: GlossaryDeps): Part => {
  const { database, audit, clock } = ground;
  const glossary = createGlossaryService({
    database,
    audit,
    jobs: deps.jobs,
    now: clock.now,
    check: checkStatementBy(ground, deps),
    dialectOf: deps.door.dialectOf,
    sourcesOf: deps.sources.linkedSources.of,
  });
  return { routes: glossaryRoutes(glossary) };
};
