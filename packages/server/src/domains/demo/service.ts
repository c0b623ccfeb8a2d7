import { type Caller, systemCaller } from '../../platform/access/index.ts';
import type { Database, Tx } from '../../platform/db/index.ts';
import type { EvaluationsService } from '../contract-evaluations/index.ts';
import type { DataContractsService } from '../data-contracts/index.ts';
import type { MigrationsService } from '../data-migration/index.ts';
import type { DataSourcesService } from '../data-sources/index.ts';
import type { LinksService, ProjectsService } from '../projects/index.ts';
import type { QueriesService } from '../queries/index.ts';
import type { QueryToolsService } from '../query-tools/index.ts';
import type { RecipientsService } from '../recipients/index.ts';
import type { SubscriptionsService } from '../subscriptions/index.ts';
import { demoContract } from './contract.ts';
import {
  type DemoDefinition,
  delayedOrdersSql,
  demoCron,
  demoNames,
  salesFinalQuery,
  salesSql,
  targetsSql,
} from './definition.ts';
import { demoMigrationJob } from './migration-job.ts';
import {
  archiveDemo,
  type DemoRecord,
  type DemoTable,
  demoIds,
  markAsDemo,
  readInstallation,
  saveInstallation,
  takeOver,
} from './store.ts';

export type DemoDeps = {
  readonly database: Database;
  readonly projects: ProjectsService;
  readonly links: LinksService;
  readonly dataSources: DataSourcesService;
  readonly queries: QueriesService;
  readonly queryTools: Pick<QueryToolsService, 'set'>;
  readonly recipients: RecipientsService;
  readonly subscriptions: SubscriptionsService;
  readonly contracts: Pick<DataContractsService, 'create' | 'archive'>;
  readonly evaluate: EvaluationsService['evaluate'];
  readonly readMetadata: (caller: Caller, dataSourceId: number) => Promise<unknown>;
  /** Undefined while data migration is disabled; the demo then has no migration job. */
  readonly migrations: Pick<MigrationsService, 'create'> | undefined;
};

/** The demo project: a shop, two queries, and a subscription that notifies an inbox every 20 seconds. */
export type Demo = {
  /** Creates the demo once. Later starts only update its addresses. A removed demo is not created again. */
  readonly install: (definition: DemoDefinition) => Promise<void>;
  /** Archives all records of the demo. */
  readonly remove: () => Promise<void>;
  /** Transfers the demo to the first administrator, in the transaction of the setup. */
  readonly takeOver: (tx: Tx, userId: number) => Promise<void>;
};

/** Actor that creates the demo. */
const system = { caller: systemCaller } as const;

export function createDemo(deps: DemoDeps): Demo {
  const { database } = deps;

  const connectionOf = (database: DemoDefinition['shop']) => ({ ...database, tlsMode: 'Disable' });

  /** Archives existing demo records, including records of an interrupted installation. */
  const clearAway = async (): Promise<void> => {
    for (const id of await demoIds(database, 'subscriptions')) await deps.subscriptions.archive(system, id);
    for (const id of await demoIds(database, 'data_contracts')) await deps.contracts.archive(system, id);
    await archiveDemo(database);
  };

  /** Marks each record immediately after its creation. */
  const marked = async <T extends { readonly id: number }>(
    table: DemoTable,
    making: Promise<T>,
  ): Promise<T> => {
    const made = await making;
    await markAsDemo(database, table, made.id);
    return made;
  };

  const makeQueries = async (projectId: number, shopId: number, targetsId: number): Promise<number> => {
    const delayed = deps.queries.create(system, {
      projectId,
      name: demoNames.delayed,
      description: 'Orders that are late. Email addresses are masked wherever the result goes.',
      steps: [{ name: 'orders', dataSourceId: shopId, sql: delayedOrdersSql }],
      parameters: [
        {
          name: 'days',
          type: 'Number',
          defaultValue: 7,
          isRequired: true,
          description: 'How many days back',
        },
      ],
    });
    const { id } = await marked('queries', delayed);
    await deps.queryTools.set(system, id, { isEnabled: true, name: demoNames.tool }, undefined);
    const sales = deps.queries.create(system, {
      projectId,
      name: demoNames.sales,
      description: 'Two sources in one query: orders of the database, targets of a file.',
      steps: [
        { name: 'sales', dataSourceId: shopId, sql: salesSql },
        { name: 'targets', dataSourceId: targetsId, sql: targetsSql },
      ],
      finalQuery: salesFinalQuery,
    });
    await marked('queries', sales);
    return id;
  };

  const makeSources = async (
    projectId: number,
    definition: DemoDefinition,
  ): Promise<{ shopId: number; targetsId: number }> => {
    const connection = connectionOf(definition.shop);
    const shop = await marked(
      'data_sources',
      deps.dataSources.create(system, { name: demoNames.shop, engine: 'PostgreSQL', connection }),
    );
    const files = { files: [{ name: 'targets', path: definition.targetsFile }] };
    const targets = await marked(
      'data_sources',
      deps.dataSources.create(system, { name: demoNames.targets, engine: 'DuckDB', connection: files }),
    );
    for (const source of [shop, targets]) await deps.links.link(system, projectId, source.id);
    return { shopId: shop.id, targetsId: targets.id };
  };

  /** Creates a job that copies the sales per country. Does nothing while data migration is disabled. */
  const makeMigrationJob = async (
    projectId: number,
    shopId: number,
    { reports }: DemoDefinition,
  ): Promise<number | undefined> => {
    if (!deps.migrations || !reports) return undefined;
    const source = { name: demoNames.reports, engine: 'PostgreSQL', connection: connectionOf(reports) };
    const { id } = await marked('data_sources', deps.dataSources.create(system, source));
    await deps.links.link(system, projectId, id);
    await deps.dataSources.setMigrationWrites(system, id, true);
    await marked('migration_jobs', deps.migrations.create(system, demoMigrationJob(shopId, id)));
    return id;
  };

  /** Creates a failing contract and evaluates it once. It sends no message, because it has no recipients. */
  const makeContract = async (projectId: number, shopId: number): Promise<void> => {
    await deps.readMetadata(system.caller, shopId);
    const { id } = await marked(
      'data_contracts',
      deps.contracts.create(system, demoContract(projectId, shopId)),
    );
    await deps.evaluate(system, id);
  };

  const make = async (definition: DemoDefinition): Promise<void> => {
    const description = 'An example to look at and to change. Remove it with: npm run svc -- demo remove';
    const project = await marked(
      'projects',
      deps.projects.create(system, { name: demoNames.project, description }),
    );
    const sources = await makeSources(project.id, definition);
    const queryId = await makeQueries(project.id, sources.shopId, sources.targetsId);
    await makeContract(project.id, sources.shopId);
    const reportsId = await makeMigrationJob(project.id, sources.shopId, definition);
    const inbox = {
      notificationType: 'Webhook',
      name: demoNames.inbox,
      destination: definition.inboxUrl,
    } as const;
    const recipient = await marked('recipients', deps.recipients.create(system, inbox));
    const subscription = deps.subscriptions.create(system, {
      queryId,
      cronExpression: demoCron,
      timeZone: 'UTC',
      recipientIds: [recipient.id],
      notificationTrigger: 'Always',
      showQuery: true,
      storeResults: true,
      maxRows: 100,
    });
    const { id: subscriptionId } = await marked('subscriptions', subscription);
    await saveInstallation(database, {
      projectId: project.id,
      ...sources,
      ...(reportsId !== undefined && { reportsId }),
      recipientId: recipient.id,
      subscriptionId,
      isRemoved: false,
    });
  };

  const bringUpToDate = async (record: DemoRecord, definition: DemoDefinition): Promise<void> => {
    const { shop, reports } = definition;
    await deps.dataSources.update(system, record.shopId, { connection: connectionOf(shop) }, undefined);
    if (record.reportsId !== undefined && reports)
      await deps.dataSources.update(
        system,
        record.reportsId,
        { connection: connectionOf(reports) },
        undefined,
      );
    await deps.recipients.update(
      system,
      record.recipientId,
      { notificationType: 'Webhook', name: demoNames.inbox, destination: definition.inboxUrl },
      undefined,
    );
  };

  return {
    install: async (definition) => {
      const record = await readInstallation(database);
      if (record?.isRemoved) return;
      if (record) return bringUpToDate(record, definition);
      await clearAway();
      await make(definition);
    },
    remove: async () => {
      await clearAway();
      const record = await readInstallation(database);
      if (record) await saveInstallation(database, { ...record, isRemoved: true });
    },
    takeOver,
  };
}
