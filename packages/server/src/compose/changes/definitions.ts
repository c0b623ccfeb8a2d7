import {
  createAdmission,
  createDefinitionsService,
  createKinds,
  definitionRoutes,
  everyPage,
} from '../../domains/definitions/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import { createProvisioning, type Provisioning } from '../../domains/provisioning/index.ts';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { AdministrationModule } from '../administration.ts';
import type { Identity } from '../identity/identity.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { McpModule } from '../models/mcp.ts';
import type { Module } from '../module.ts';
import type { ContractsModule } from '../runs/data-contracts.ts';
import type { RecipientsModule } from '../runs/recipients.ts';
import type { SubscriptionsModule } from '../runs/subscriptions.ts';
import type { DataMigrationModule } from '../sources/data-migration.ts';
import type { DataSourcesModule } from '../sources/data-sources.ts';
import type { ProjectsModule } from '../sources/projects.ts';
import type { QueriesModule } from '../sources/queries.ts';

/** Modules whose records can be defined in files. */
export type DefinitionsDeps = {
  readonly projects: ProjectsModule;
  readonly sources: Pick<DataSourcesModule, 'dataSources' | 'readUnread'>;
  readonly queries: Pick<QueriesModule, 'queries'>;
  readonly recipients: Pick<RecipientsModule, 'recipients'>;
  readonly subscriptions: Pick<SubscriptionsModule, 'subscriptions'>;
  readonly quality: Pick<ContractsModule, 'contracts'>;
  readonly migration: Pick<DataMigrationModule, 'migrations'>;
  readonly administration: Pick<AdministrationModule, 'adminSettings'>;
  readonly mcp: Pick<McpModule, 'mcpSettings'>;
  readonly isSetupOpen: Identity['isSetupOpen'];
};

export type DefinitionsModule = Module & { readonly provisioning: Provisioning };

/** Composes the definition of records in files. */
export function composeDefinitions(infra: Infrastructure, deps: DefinitionsDeps): DefinitionsModule {
  const { database, audit, keys, random, settings, log } = infra;
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
