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

/** Documentation of projects, made from what the service knows of them, and of what a model says of their tables. */
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
    ...{ database, jobs, llm, requireModel, startedBy },
    isPersonal: personalNames(maskingOf(settings)),
    readUnread: deps.sources.readUnread,
  });
  return { routes: documentationRoutes(documentation), sweep: documentation.sweep };
}
