import path from 'node:path';
import type { EmailAdapter } from '@svc/channels';
import {
  createConnectors,
  type DatabaseIdentity,
  readDatabaseIdentity,
  type SqlDialect,
} from '@svc/connectors';
import { createJobs, type EngineOptions, migrateJobs } from '@svc/jobs';
import type pg from 'pg';
import { adminSettingsRoutes, createAdminSettings } from './domains/admin-settings/index.ts';
import { approvalRoutes, createApprovalsService, createChangeRequests } from './domains/approvals/index.ts';
import type { Audit } from './domains/audit/index.ts';
import {
  createDataSourcesService,
  createLinkedSources,
  createLoginNotes,
  createMetadataService,
  createOpenDataSources,
  dataSourceRoutes,
  type LinkedSources,
  type MetadataService,
} from './domains/data-sources/index.ts';
import { createDemo, type Demo } from './domains/demo/index.ts';
import { createHomeService, homeRoutes } from './domains/home/index.ts';
import { createNoticesService, noticeRoutes } from './domains/notices/index.ts';
import {
  createLinksService,
  createMembersService,
  createProjectsService,
  projectRights,
  projectRoutes,
} from './domains/projects/index.ts';
import {
  checkParameterValues,
  createQueriesService,
  findQuery,
  type OpenDataSources,
  planSavedQuery,
  queryRoutes,
} from './domains/queries/index.ts';
import { type Notify, startedBy } from './domains/realtime/index.ts';
import {
  createRecipientSettingsService,
  recipientSettingsRoutes,
} from './domains/recipient-settings/index.ts';
import {
  createKeyDependents,
  createRecipientApprovals,
  createRecipientReader,
  createRecipientsService,
  type RecipientApprovals,
  recipientRoutes,
  requireReadOfAll,
} from './domains/recipients/index.ts';
import {
  createAttempts,
  createFrozenMessages,
  createHistoryService,
  createLedger,
  createPreviewService,
  createResendService,
  createRunEnding,
  createRunJobs,
  createRunPipeline,
  createWatchdog,
  deliverWith,
  type HistoryService,
  notificationRoutes,
  previewRoutes,
} from './domains/runs/index.ts';
import { createSecrets, type SecretsService } from './domains/secrets/index.ts';
import {
  createSchedules,
  createSubscriptionsService,
  subscriptionRoutes,
} from './domains/subscriptions/index.ts';
import { createRunSql, type RunSql } from './doors/run-sql/index.ts';
import { createDestinationRules, createSend, readSendSettings } from './doors/send/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config/index.ts';
import type { KeyRing, Randomness } from './platform/crypto/index.ts';
import type { Database } from './platform/db/index.ts';
import type { Route } from './platform/http/index.ts';
import type { Logger } from './platform/log/index.ts';
import type { Outbound } from './platform/outbound/index.ts';

export type WorkDeps = {
  readonly config: Config;
  readonly connection: pg.ClientConfig;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Randomness;
  readonly log: Logger;
  readonly keys: KeyRing;
  readonly audit: Audit;
  readonly email: EmailAdapter | undefined;
  /** Whether projects can have members; without them none can be restricted. */
  readonly hasMembers: boolean;
  /** Shared with sign-in; closed by whoever made it. */
  readonly outbound: Outbound;
  /** Tells people of what happens. */
  readonly notify: Notify;
  /** Times of the job engine, where they are not its own. */
  readonly jobs?: EngineOptions | undefined;
};

/** What AI clients reach: data through the door, schemas, and how an engine writes its SQL. */
export type McpData = {
  readonly runSql: RunSql;
  readonly linkedSources: LinkedSources;
  readonly openDataSources: OpenDataSources;
  readonly readMetadata: MetadataService['get'];
  readonly dialectOf: (engine: string) => SqlDialect;
};

/** Everything that watches databases: projects, sources, queries, subscriptions, runs, deliveries, and their jobs. */
export type Work = {
  readonly routes: readonly Route[];
  readonly history: HistoryService;
  readonly demo: Demo;
  readonly secrets: Pick<SecretsService, 'rotate'>;
  readonly data: McpData;
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Brings the job library's tables up to date and puts the working part of the service together. */
export async function composeWork(deps: WorkDeps): Promise<Work> {
  const { config, database, keys, random, audit, log, clock } = deps;
  const client = await database.pool.connect();
  await migrateJobs(client).finally(() => client.release());

  const rights = projectRights;
  const requests = createChangeRequests({ audit });
  const approvals = createRecipientApprovals({
    keys,
    random,
    audit,
    requests,
    isCovered:
      config['Svc:ApprovalWorkflow:Enabled'] && config['Svc:ApprovalWorkflow:CoversRecipientDestinations'],
    requireReadOfAll: requireReadOfAll(rights),
  });
  const doors = openDoors(deps, approvals, await readDatabaseIdentity(database.pool));
  const { runSql, connectors, rules, send, settings } = doors;
  const vault = { keys, random };
  const logins = createLoginNotes({ database, log });
  const openDataSources = createOpenDataSources({ vault, logins });
  const limits = {
    maxExecutionRows: config['Svc:Query:MaxExecutionRows'],
    timeoutSeconds: config['Svc:Query:TimeoutSeconds'],
    attachmentBytesMax: config['Svc:Notifications:AttachmentMaxBytes'],
  };
  const masking = { isEnabled: true, customPatterns: config['Svc:Query:PiiPatterns'] };

  const projects = createProjectsService({ database, audit, hasMembers: deps.hasMembers });
  const members = createMembersService({ database, audit });
  const links = createLinksService({ database, audit });
  const dataSources = createDataSourcesService({ database, connectors, runSql, vault, audit, logins });
  const metadata = createMetadataService({ database, runSql, vault, logins });
  const queries = createQueriesService({ database, rights, audit, runSql, openDataSources, limits, masking });
  const recipients = createRecipientsService({
    database,
    log,
    keys,
    random,
    audit,
    rights,
    rules,
    approvals,
    allowedHeaders: settings.allowedHeaders,
    requireEncryptedSecrets: settings.requireEncryptedSecrets,
  });
  const changes = createApprovalsService({
    database,
    audit,
    requests,
    subjects: { Recipient: approvals.subject },
    onDecided: deps.notify.approvalUpdated,
  });
  const secrets = createSecrets({
    database,
    keys,
    random,
    log,
    audit,
    dependents: createKeyDependents({ database, keys, random, requests }),
  });
  const adminSettings = createAdminSettings({ database, config, audit });
  const baseUrl = () => adminSettings.valueOf('baseUrl');
  const recipientSettings = createRecipientSettingsService({ database, keys, random, audit });
  const history = createHistoryService({ database, rights });
  const home = createHomeService({ database, rights, visibleRuns: history.visibleTo });

  const jobs = createJobs({
    connection: deps.connection,
    ...deps.jobs,
    queues: {
      runs: { concurrency: Math.max(1, config['Svc:Jobs:Workers']) },
      deliveries: { concurrency: Math.max(1, config['Svc:Jobs:Workers']) },
      maintenance: { concurrency: 1 },
    },
    logger: log,
    onTransition: deps.notify.jobChanged,
    onProgress: deps.notify.jobProgressed,
  });
  const messages = createFrozenMessages({
    executor: database,
    keys,
    random,
    fileBytesMax: limits.attachmentBytesMax,
  });
  const notices = createNoticesService({
    database,
    rights,
    jobs,
    send,
    hasMail: deps.email !== undefined,
    baseUrl,
  });
  const attempts = createAttempts({
    jobs,
    database,
    send,
    messages,
    tellOwner: notices.tell,
    keepMessagesDays: config['Svc:Notifications:KeepMessagesDays'],
  });
  const ending = createRunEnding({
    database,
    events: deps.notify,
    tellOwner: notices.tell,
    stopSubscription: (tx, id, reason) => subscriptions.stop(tx, id, reason),
    followDeliveries: attempts.followRun,
  });
  const pipeline = createRunPipeline({
    database,
    log,
    clock,
    runSql,
    planQuery: (executor, queryId) => planSavedQuery(executor, queryId, openDataSources),
    messages,
    ending,
    deliver: deliverWith(send),
    baseUrl,
    limits,
    masking,
  });
  const watchdog = createWatchdog({
    database,
    log,
    tellOwner: notices.tell,
    graceSeconds: config['Svc:Subscriptions:MissedRunGraceSeconds'],
  });
  const runJobs = createRunJobs({ jobs, database, log, pipeline, ending, watchdog, startedBy });
  const previews = createPreviewService({
    database,
    rights,
    clock,
    runSql,
    planQuery: (executor, queryId) => planSavedQuery(executor, queryId, openDataSources),
    messages,
    baseUrl,
    limits,
    masking,
    recipients: doors.recipientReader,
    keys,
    sendSettings: settings,
    rules,
  });
  const resend = createResendService({ database, rights, audit, attempts });
  const schedules = createSchedules({
    minimumIntervalSeconds: config['Svc:Subscriptions:MinimumIntervalSeconds'],
    defaultTimeZone: async () => (await adminSettings.valueOf('defaultTimeZone')) ?? 'UTC',
    now: () => clock.now(),
  });
  const subscriptions = createSubscriptionsService({
    database,
    rights,
    audit,
    schedules,
    loadQuery: findQuery,
    checkParameters: (query, values) => checkParameterValues(query.parameters, values),
    setSchedule: runJobs.setSchedule,
    startTestRun: runJobs.startTestRun,
    recipientState: approvals.stateOf,
    listMissedRuns: history.missedRuns,
    visibleRuns: history.visibleTo,
  });
  const demo = createDemo({ database, projects, links, dataSources, queries, recipients, subscriptions });
  const runsJobs = config['Svc:Jobs:Workers'] > 0;

  return {
    routes: [
      ...projectRoutes({ projects, members, links }),
      ...dataSourceRoutes({ dataSources, metadata }),
      ...queryRoutes(queries),
      ...subscriptionRoutes(subscriptions),
      ...recipientRoutes(recipients),
      ...approvalRoutes(changes),
      ...adminSettingsRoutes(adminSettings),
      ...recipientSettingsRoutes(recipientSettings),
      ...notificationRoutes(history, resend),
      ...previewRoutes(previews),
      ...noticeRoutes(notices),
      ...homeRoutes(home),
    ],
    history,
    demo,
    secrets,
    data: {
      runSql,
      linkedSources: createLinkedSources({ vault, logins }),
      openDataSources,
      readMetadata: metadata.get,
      dialectOf: (engine) => connectors.get(engine).dialect,
    },
    start: async () => {
      // A key that was made for this process alone is none that a later start could have.
      if (config['Svc:EncryptionKey'] !== undefined) await secrets.checkAtStart();
      await recipients.noteAtStart();
      if (!runsJobs) return;
      await runJobs.start();
      await attempts.start();
      await jobs.start();
    },
    close: async () => {
      await jobs.stop();
      await metadata.close();
      await connectors.close();
      await logins.settled();
    },
  };
}

/** Opens the two doors, to data sources and to destinations, and the outbound door that both stand on. */
function openDoors(
  { config, database, keys, log, email, outbound }: WorkDeps,
  approvals: RecipientApprovals,
  ownDatabase: DatabaseIdentity,
) {
  const settings = readSendSettings(config);
  const rules = createDestinationRules(settings, outbound, { hasEmailAdapter: email !== undefined });
  const recipientReader = createRecipientReader(database, approvals);
  const send = createSend({
    settings,
    rules,
    keyRing: keys,
    outbound,
    email,
    log,
    recipients: recipientReader,
    ledger: createLedger(database),
  });
  const folders = config['Svc:Query:FileFolders'];
  const dataDirectory = path.resolve(config['Svc:DataDirectory']);
  const connectors = createConnectors({
    // What the service keeps its own records in can never be a data source.
    ownDatabases: [ownDatabase],
    files: {
      allowedFolders:
        folders.length > 0
          ? folders.map((folder) => path.resolve(folder))
          : [path.join(dataDirectory, 'files')],
      dataDirectory,
    },
  });
  const runSql = createRunSql({
    connectors,
    dial: (target, options) => outbound.dialSocket(target, options),
  });
  return { settings, rules, send, connectors, runSql, recipientReader };
}
