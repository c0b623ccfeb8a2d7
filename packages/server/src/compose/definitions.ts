import {
  createAdmission,
  createDefinitionsService,
  createKinds,
  definitionRoutes,
  everyPage,
} from '../domains/definitions/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import type { ContractsPart } from './data-contracts.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import type { ProjectsPart } from './projects.ts';
import type { QueriesPart } from './queries.ts';
import type { RecipientsPart } from './recipients.ts';
import type { SubscriptionsPart } from './subscriptions.ts';

/** Records as files. */
export function composeDefinitions(
  ground: Ground,
  deps: {
    readonly projects: ProjectsPart;
    readonly sources: Pick<DataSourcesPart, 'dataSources' | 'readUnread'>;
    readonly queries: Pick<QueriesPart, 'queries'>;
    readonly recipients: Pick<RecipientsPart, 'recipients'>;
    readonly subscriptions: Pick<SubscriptionsPart, 'subscriptions'>;
    readonly quality: Pick<ContractsPart, 'contracts'>;
  },
): Part {
  const { database, audit, keys, random, settings } = ground;
  const { dataSources, readUnread } = deps.sources;
  const { subscriptions } = deps.subscriptions;
  const service = createDefinitionsService({
    ...{ database, audit, keys, random, rights: projectRights },
    refusalOf: createAdmission({ database, rights: projectRights }),
    visibleSources: async (caller) =>
      new Set((await everyPage((page) => dataSources.list(caller, page))).map(({ id }) => id)),
    kindOf: createKinds({
      ...{ database, dataSources, readUnread, subscriptions },
      ...{ projects: deps.projects.projects, links: deps.projects.links },
      queries: deps.queries.queries,
      needsApproval: (caller) => settings.coversQueries && caller.kind !== 'system',
      recipients: deps.recipients.recipients,
      areApproved: settings.coversRecipients,
      contracts: deps.quality.contracts,
      explainSchedule: subscriptions.explain,
    }),
  });
  return { routes: definitionRoutes(service), sweep: service.sweep };
}
