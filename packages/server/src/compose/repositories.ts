import type { Jobs } from '@svc/jobs';
import { startedBy } from '../domains/realtime/index.ts';
import {
  createRepositoriesService,
  createTokens,
  repositoryRoutes,
  serveScans,
} from '../domains/repositories/index.ts';
import { repositoryPolicy } from '../platform/outbound/index.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';

/**
 * Composes repositories of the projects' code. They are read through the outbound gateway by a process without a
 * network.
 */
export function composeRepositories(
  ground: Ground,
  { jobs, sources }: { readonly jobs: Jobs; readonly sources: Pick<DataSourcesPart, 'readUnread'> },
): Part {
  const { database, audit, outbound, settings } = ground;
  const policy = repositoryPolicy(settings.repositories);
  const tokens = createTokens(ground.keys, ground.random);
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
