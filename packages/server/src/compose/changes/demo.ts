import { createDemo, type Demo } from '../../domains/demo/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { ContractsModule } from '../runs/data-contracts.ts';
import type { RecipientsModule } from '../runs/recipients.ts';
import type { SubscriptionsModule } from '../runs/subscriptions.ts';
import type { DataMigrationModule } from '../sources/data-migration.ts';
import type { DataSourcesModule } from '../sources/data-sources.ts';
import type { ProjectsModule } from '../sources/projects.ts';
import type { QueriesModule } from '../sources/queries.ts';

/** Composes the demo project from the ordinary services. */
export const composeDemo = (
  { database }: Infrastructure,
  modules: {
    readonly projects: ProjectsModule;
    readonly sources: DataSourcesModule;
    readonly queries: QueriesModule;
    readonly recipients: RecipientsModule;
    readonly subscriptions: SubscriptionsModule;
    readonly quality: Pick<ContractsModule, 'contracts' | 'evaluations'>;
    readonly migration: Pick<DataMigrationModule, 'migrations'>;
  },
): Demo =>
  createDemo({
    database,
    projects: modules.projects.projects,
    links: modules.projects.links,
    dataSources: modules.sources.dataSources,
    queries: modules.queries.queries,
    queryTools: modules.queries.tools,
    recipients: modules.recipients.recipients,
    subscriptions: modules.subscriptions.subscriptions,
    contracts: modules.quality.contracts,
    evaluate: modules.quality.evaluations.evaluate,
    readMetadata: modules.sources.readMetadata,
    migrations: modules.migration.migrations,
  });
