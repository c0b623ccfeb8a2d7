import type { Jobs } from '@svc/jobs';
import { createDocumentationService, documentationRoutes } from '../../domains/documentation/index.ts';
import type { RequireModel } from '../../domains/llm-usage/index.ts';
import { startedBy } from '../../domains/realtime/index.ts';
import type { Llm } from '../../gateways/llm/index.ts';
import { personalNames } from '../../gateways/run-sql/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { DataSourcesModule } from '../sources/data-sources.ts';
import { maskingOf } from '../sources/queries.ts';

/** Composes the documentation of projects, from the service's data and a model's table descriptions. */
export function composeDocumentation(
  { database, settings }: Infrastructure,
  deps: {
    readonly jobs: Jobs;
    readonly sources: Pick<DataSourcesModule, 'readUnread'>;
    readonly llm: Llm;
    readonly requireModel: RequireModel;
  },
): Module {
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
