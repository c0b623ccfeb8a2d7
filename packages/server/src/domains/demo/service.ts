import type { Caller } from '../../platform/access/index.ts';
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
import { createDemoRecords, system } from './create-records.ts';
import { connectionOf, type DemoDefinition, demoNames } from './definition.ts';
import {
  archiveDemo,
  type DemoRecord,
  demoIds,
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

/** Archives existing demo records, including records of an interrupted installation. */
const archiveRecords = async (deps: DemoDeps): Promise<void> => {
  const { database } = deps;
  for (const id of await demoIds(database, 'subscriptions')) await deps.subscriptions.archive(system, id);
  for (const id of await demoIds(database, 'data_contracts')) await deps.contracts.archive(system, id);
  await archiveDemo(database);
};

/** Sets the current addresses of the databases and of the inbox. */
const updateAddresses = async (
  deps: DemoDeps,
  record: DemoRecord,
  definition: DemoDefinition,
): Promise<void> => {
  const { shop, reports } = definition;
  await deps.dataSources.update(system, record.shopId, { connection: connectionOf(shop) }, undefined);
  if (record.reportsId !== undefined && reports)
    await deps.dataSources.update(system, record.reportsId, { connection: connectionOf(reports) }, undefined);
  await deps.recipients.update(
    system,
    record.recipientId,
    { notificationType: 'Webhook', name: demoNames.inbox, destination: definition.inboxUrl },
    undefined,
  );
};

export function createDemo(deps: DemoDeps): Demo {
  const { database } = deps;
  return {
    install: async (definition) => {
      const record = await readInstallation(database);
      if (record?.isRemoved) return;
      if (record) return updateAddresses(deps, record, definition);
      await archiveRecords(deps);
      await saveInstallation(database, await createDemoRecords(deps, definition));
    },
    remove: async () => {
      await archiveRecords(deps);
      const record = await readInstallation(database);
      if (record) await saveInstallation(database, { ...record, isRemoved: true });
    },
    takeOver,
  };
}
