import { systemCaller } from '../../platform/access/index.ts';
import { demoContract } from './contract.ts';
import {
  connectionOf,
  type DemoDefinition,
  delayedOrdersSql,
  demoCron,
  demoNames,
  salesFinalQuery,
  salesSql,
  targetsSql,
} from './definition.ts';
import { demoMigrationJob } from './migration-job.ts';
import type { DemoDeps } from './service.ts';
import { type DemoRecord, type DemoTable, markAsDemo } from './store.ts';

/** Actor that creates the demo. */
export const system = { caller: systemCaller } as const;

type SourceIds = { readonly shopId: number; readonly targetsId: number };

/** Creates a record and marks it immediately as part of the demo. */
async function marked<T extends { readonly id: number }>(
  { database }: DemoDeps,
  table: DemoTable,
  creation: Promise<T>,
): Promise<T> {
  const record = await creation;
  await markAsDemo(database, table, record.id);
  return record;
}

/** Creates both queries. Returns the id of the query that the subscription runs. */
const createQueries = async (
  deps: DemoDeps,
  projectId: number,
  { shopId, targetsId }: SourceIds,
): Promise<number> => {
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
  const { id } = await marked(deps, 'queries', delayed);
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
  await marked(deps, 'queries', sales);
  return id;
};

const createSources = async (
  deps: DemoDeps,
  projectId: number,
  definition: DemoDefinition,
): Promise<SourceIds> => {
  const connection = connectionOf(definition.shop);
  const shop = await marked(
    deps,
    'data_sources',
    deps.dataSources.create(system, { name: demoNames.shop, engine: 'PostgreSQL', connection }),
  );
  const files = { files: [{ name: 'targets', path: definition.targetsFile }] };
  const targets = await marked(
    deps,
    'data_sources',
    deps.dataSources.create(system, { name: demoNames.targets, engine: 'DuckDB', connection: files }),
  );
  for (const source of [shop, targets]) await deps.links.link(system, projectId, source.id);
  return { shopId: shop.id, targetsId: targets.id };
};

/** Creates a job that copies the sales per country. Does nothing while data migration is disabled. */
const createMigrationJob = async (
  deps: DemoDeps,
  projectId: number,
  shopId: number,
  { reports }: DemoDefinition,
): Promise<number | undefined> => {
  if (!deps.migrations || !reports) return undefined;
  const source = { name: demoNames.reports, engine: 'PostgreSQL', connection: connectionOf(reports) };
  const { id } = await marked(deps, 'data_sources', deps.dataSources.create(system, source));
  await deps.links.link(system, projectId, id);
  await deps.dataSources.setMigrationWrites(system, id, true);
  await marked(deps, 'migration_jobs', deps.migrations.create(system, demoMigrationJob(shopId, id)));
  return id;
};

/** Creates a failing contract and evaluates it once. It sends no message, because it has no recipients. */
const createContract = async (deps: DemoDeps, projectId: number, shopId: number): Promise<void> => {
  await deps.readMetadata(system.caller, shopId);
  const { id } = await marked(
    deps,
    'data_contracts',
    deps.contracts.create(system, demoContract(projectId, shopId)),
  );
  await deps.evaluate(system, id);
};

/** Creates the subscription and its recipient, an inbox of this service. */
const createSubscription = async (
  deps: DemoDeps,
  queryId: number,
  inboxUrl: string,
): Promise<{ recipientId: number; subscriptionId: number }> => {
  const inbox = { notificationType: 'Webhook', name: demoNames.inbox, destination: inboxUrl } as const;
  const recipient = await marked(deps, 'recipients', deps.recipients.create(system, inbox));
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
  const { id: subscriptionId } = await marked(deps, 'subscriptions', subscription);
  return { recipientId: recipient.id, subscriptionId };
};

/** Creates all records of the demo and returns their ids. */
export async function createDemoRecords(deps: DemoDeps, definition: DemoDefinition): Promise<DemoRecord> {
  const description = 'An example to look at and to change. Remove it with: npm run svc -- demo remove';
  const { id: projectId } = await marked(
    deps,
    'projects',
    deps.projects.create(system, { name: demoNames.project, description }),
  );
  const sourceIds = await createSources(deps, projectId, definition);
  const queryId = await createQueries(deps, projectId, sourceIds);
  await createContract(deps, projectId, sourceIds.shopId);
  const reportsId = await createMigrationJob(deps, projectId, sourceIds.shopId, definition);
  return {
    projectId,
    ...sourceIds,
    ...(reportsId !== undefined && { reportsId }),
    ...(await createSubscription(deps, queryId, definition.inboxUrl)),
    isRemoved: false,
  };
}
