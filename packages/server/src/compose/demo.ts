import { createDemo, type Demo } from '../domains/demo/index.ts';
import type { ContractsPart } from './data-contracts.ts';
import type { DataMigrationPart } from './data-migration.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { ProjectsPart } from './projects.ts';
import type { QueriesPart } from './queries.ts';
import type { RecipientsPart } from './recipients.ts';
import type { SubscriptionsPart } from './subscriptions.ts';

/** Composes the demo project from the ordinary services. */
export const composeDemo = (
  { database }: Ground,
  parts: {
    readonly projects: ProjectsPart;
    readonly sources: DataSourcesPart;
    readonly queries: QueriesPart;
    readonly recipients: RecipientsPart;
    readonly subscriptions: SubscriptionsPart;
    readonly quality: Pick<ContractsPart, 'contracts' | 'evaluations'>;
    readonly migration: Pick<DataMigrationPart, 'migrations'>;
  },
): Demo =>
  createDemo({
    database,
    projects: parts.projects.projects,
    links: parts.projects.links,
    dataSources: parts.sources.dataSources,
    queries: parts.queries.queries,
    queryTools: parts.queries.tools,
    recipients: parts.recipients.recipients,
    subscriptions: parts.subscriptions.subscriptions,
    contracts: parts.quality.contracts,
    evaluate: parts.quality.evaluations.evaluate,
    readMetadata: parts.sources.readMetadata,
    migrations: parts.migration.migrations,
  });
