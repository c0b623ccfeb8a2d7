import type { Jobs } from '@svc/jobs';
import { createDocumentationService, documentationRoutes } from '../domains/documentation/index.ts';
import { startedBy } from '../domains/realtime/index.ts';
import { personalNames } from '../doors/run-sql/index.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import { maskingOf } from './queries.ts';

/** Documentation of projects, made from what the service knows of them. */
export function composeDocumentation(
  { database, settings }: Ground,
  { jobs, sources }: { readonly jobs: Jobs; readonly sources: Pick<DataSourcesPart, 'readUnread'> },
): Part {
  const isPersonal = personalNames(maskingOf(settings));
  return {
    routes: documentationRoutes(
      createDocumentationService({
        ...{ database, jobs, isPersonal, startedBy },
        readUnread: sources.readUnread,
      }),
    ),
  };
}
