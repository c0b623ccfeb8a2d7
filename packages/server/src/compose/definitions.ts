import {
  createAdmission,
  createDefinitionsService,
  createKinds,
  definitionRoutes,
  everyPage,
} from '../domains/definitions/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import { createProvisioning, type Provisioning } from '../domains/provisioning/index.ts';
import { type Caller, holds } from '../platform/access/index.ts';
import type { AdministrationPart } from './administration.ts';
import type { ContractsPart } from './data-contracts.ts';
import type { DataMigrationPart } from './data-migration.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { Identity } from './identity.ts';
import type { McpPart } from './mcp.ts';
import type { Part } from './part.ts';
import type { ProjectsPart } from './projects.ts';
import type { QueriesPart } from './queries.ts';
import type { RecipientsPart } from './recipients.ts';
import type { SubscriptionsPart } from './subscriptions.ts';

/** Modules whose records can be defined in files. */
export type DefinitionsDeps = {
  readonly projects: ProjectsPart;
  readonly sources: Pick<DataSourcesPart, 'dataSources' | 'readUnread'>;
  readonly queries: Pick<QueriesPart, 'queries'>;
  readonly recipients: Pick<RecipientsPart, 'recipients'>;
  readonly subscriptions: Pick<SubscriptionsPart, 'subscriptions'>;
  readonly quality: Pick<ContractsPart, 'contracts'>;
  readonly migration: Pick<DataMigrationPart, 'migrations'>;
  readonly administration: Pick<AdministrationPart, 'adminSettings'>;
  readonly mcp: Pick<McpPart, 'mcpSettings'>;
  readonly isSetupOpen: Identity['isSetupOpen'];
};

export type DefinitionsPart = Part & { readonly provisioning: Provisioning };

/** Composes the definition of records in files. */
export function composeDefinitions(ground: Ground, deps: DefinitionsDeps): DefinitionsPart {
  const { database, audit, keys, random, settings, log } = ground;
  const { dataSources, readUnread } = deps.sources;
  const { subscriptions } = deps.subscriptions;
  const { migrations } = deps.migration;
  /** Operators of migrations see every source by name, independent of their projects. */
  const sourcesOfOperator = async (caller: Caller) =>
    migrations && holds(caller, 'MigrationOperator') ? everyPage((page) => migrations.dataSources(page)) : [];
  const service = createDefinitionsService({
    database,
    audit,
    keys,
    random,
    rights: projectRights,
    refusalOf: createAdmission({ database, rights: projectRights }),
    visibleSources: async (caller) =>
      new Set(
        [
          ...(await everyPage((page) => dataSources.list(caller, page))),
          ...(await sourcesOfOperator(caller)),
        ].map(({ id }) => id),
      ),
    kindOf: createKinds({
      database,
      dataSources,
      readUnread,
      subscriptions,
      projects: deps.projects.projects,
      links: deps.projects.links,
      queries: deps.queries.queries,
      needsApproval: (caller) => settings.coversQueries && caller.kind !== 'system',
      recipients: deps.recipients.recipients,
      areApproved: settings.coversRecipients,
      contracts: deps.quality.contracts,
      explainSchedule: subscriptions.explain,
      migrations,
      adminSettings: deps.administration.adminSettings,
      mcpSettings: deps.mcp.mcpSettings,
    }),
  });
  const provisioning = createProvisioning({
    database,
    log,
    audit,
    definitions: service,
    isSetupOpen: deps.isSetupOpen,
  });
  return { provisioning, routes: definitionRoutes(service), sweep: service.sweep };
}
