import type { Jobs } from '@svc/jobs';
import { createDocumentationService, documentationRoutes } from '../domains/documentation/index.ts';
import type { RequireModel } from '../domains/llm-usage/index.ts';
import { startedBy } from '../domains/realtime/index.ts';
import type { Llm } from '../doors/llm/index.ts';
import { personalNames } from '../doors/run-sql/index.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import { maskingOf } from './queries.ts';

/** Composes the documentation of projects, from the service's data and a model's table descriptions. */
export function composeDocumentation(
  { database, settings }: Ground,
  deps: {
    readonly jobs: Jobs;
    readonly sources: Pick<DataSourcesPart, 'readUnread'>;
    readonly llm: Llm;
    readonly requireModel: RequireModel;
  },
): Part {
  const { jobs, llm, requireModel } = deps;
  const documentation = createDocumentationService({
    database,
    jobs,
    llm,
    requireModel,
    startedBy,
    isPersonal: personalNames(maskingOf(settings)),
    readUnread: deps.sources.readUnread,
  });
  return { routes: documentationRoutes(documentation), sweep: documentation.sweep };
}
