import type { Jobs } from '@svc/jobs';
import { startedBy } from '../../domains/realtime/index.ts';
import {
  createRepositoriesService,
  createTokens,
  repositoryRoutes,
  serveScans,
} from '../../domains/repositories/index.ts';
import { repositoryPolicy } from '../../platform/outbound/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { DataSourcesModule } from '../sources/data-sources.ts';

/**
 * Composes repositories of the projects' code. They are read through the outbound gateway by a process without a
 * network.
 */
export function composeRepositories(
  infra: Infrastructure,
  { jobs, sources }: { readonly jobs: Jobs; readonly sources: Pick<DataSourcesModule, 'readUnread'> },
): Module {
  const { database, audit, outbound, settings } = infra;
  const policy = repositoryPolicy(settings.repositories);
  const tokens = createTokens(infra.keys, infra.random);
  serveScans({ jobs, database, outbound, policy, tokens, readUnread: sources.readUnread });
  const repositories = createRepositoriesService({
    database,
    audit,
    jobs,
    outbound,
    policy,
    tokens,
    startedBy,
  });
  return { routes: repositoryRoutes(repositories) };
}
