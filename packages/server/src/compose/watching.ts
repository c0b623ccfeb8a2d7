import type { Jobs } from '@svc/jobs';
import { createChangeRequests } from '../domains/approvals/index.ts';
import type { AskService } from '../domains/ask/index.ts';
import type { Demo } from '../domains/demo/index.ts';
import type { TellResponsible } from '../domains/notices/index.ts';
import type { HistoryService } from '../domains/run-history/index.ts';
import type { SecretsService } from '../domains/secrets/index.ts';
import type { SvcOptions } from '../svc.ts';
import { composeAdministration } from './administration.ts';
import { composeApprovals } from './changes/approvals.ts';
import type { DefinitionsDeps } from './changes/definitions.ts';
import { composeDemo } from './changes/demo.ts';
import { composeSecrets } from './changes/secrets.ts';
import { composeProjectContent } from './content/project-content.ts';
import { composeRetention } from './database/retention.ts';
import type { EventsModule } from './events.ts';
import type { Infrastructure } from './infrastructure.ts';
import { composeJobEngine, makeJobEngine } from './job-engine.ts';
import { composeAiActors } from './models/ai-actors.ts';
import { composeAsk } from './models/ask.ts';
import { composeEvaluation } from './models/evaluation.ts';
import { composeLearning, type LearningModule } from './models/learning.ts';
import type { Module } from './module.ts';
import { composeHostEndpoints, type HostEndpoints } from './overview/host-endpoints.ts';
import { composeOverview } from './overview/overview.ts';
import { composeDataContracts } from './runs/data-contracts.ts';
import { composeNotices } from './runs/notices.ts';
import { composePreviews } from './runs/previews.ts';
import { composeRecipients } from './runs/recipients.ts';
import { openRowMemories, openRowRoutings } from './runs/row-memories.ts';
import { composeRuns } from './runs/runs.ts';
import { openSendGateway } from './runs/send-gateway.ts';
import { composeSubscriptions } from './runs/subscriptions.ts';
import { composeTaskLife } from './runs/tasks.ts';
import { openWatchdogs } from './runs/watchdogs.ts';
import { composeDataMigration } from './sources/data-migration.ts';
import { composeDataSources, type DataSourcesModule } from './sources/data-sources.ts';
import { composeProjects } from './sources/projects.ts';
import { composeQueries } from './sources/queries.ts';
import { openRunSqlGateway, type RunSqlGateway } from './sources/run-sql-gateway.ts';

/** Modules that watch databases, in start order. */
export type Watching = {
  readonly modules: readonly Module[];
  readonly jobs: Pick<Jobs, 'probe'>;
  readonly gateway: RunSqlGateway;
  readonly asking: AskService;
  readonly note: LearningModule['note'];
  readonly sources: DataSourcesModule;
  readonly history: HistoryService;
  /** Modules whose records can be defined in files. */
  readonly defined: Omit<DefinitionsDeps, 'mcp' | 'isSetupOpen'>;
  /** Undefined if the host has no endpoints. */
  readonly hostEndpoints: HostEndpoints | undefined;
  readonly demo: Demo;
  readonly rotateSecrets: SecretsService['rotate'];
  readonly tellResponsible: TellResponsible;
};

type Options = Pick<SvcOptions, 'config' | 'jobs' | 'documents' | 'endpoints'>;

/** Opens the shared services of the watching modules. */
const openFoundation = async (infra: Infrastructure, notify: EventsModule['notify'], options: Options) => ({
  jobs: makeJobEngine(infra, { notify, options: options.jobs }),
  gateway: await openRunSqlGateway(infra),
  administration: composeAdministration(infra, options.config),
  projects: composeProjects(infra),
  requests: createChangeRequests({ audit: infra.audit }),
  watchdogs: openWatchdogs(infra),
  rows: { memories: openRowMemories(infra), routings: openRowRoutings(infra) },
});

type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Composes data sources, queries and recipients, and the gateway that sends. */
function composeQuerying(infra: Infrastructure, { jobs, gateway, administration, requests }: Foundation) {
  const { llm, requireModel } = administration;
  const sources = composeDataSources(infra, gateway, jobs);
  const learning = composeLearning(infra, { jobs, sources, gateway });
  const recipients = composeRecipients(infra, { requests });
  return {
    sources,
    learning,
    recipients,
    asking: composeAsk(infra, { jobs, sources, gateway, llm, requireModel, note: learning.note }),
    queries: composeQueries(infra, {
      runSql: gateway.runSql,
      openDataSources: sources.openDataSources,
      requests,
    }),
    send: openSendGateway(infra, recipients),
    secrets: composeSecrets(infra, { requests }),
  };
}

/** Composes runs, subscriptions, contracts and copies, and the notices and tasks that result from them. */
async function composeMonitoring(
  infra: Infrastructure,
  notify: EventsModule['notify'],
  { jobs, gateway, administration, watchdogs, rows }: Foundation,
  { sources, recipients, send, queries }: ReturnType<typeof composeQuerying>,
) {
  const { adminSettings } = administration;
  const baseUrl = () => adminSettings.valueOf('baseUrl');
  const noticeModule = composeNotices(infra, { jobs, notify, send, baseUrl });
  const { notices } = noticeModule;
  const life = composeTaskLife(infra, { jobs, notices, notify });
  const runs = composeRuns(infra, {
    ...rows,
    watchdogs,
    jobs,
    notify,
    notices,
    runSql: gateway.runSql,
    send,
    planQuery: queries.planQuery,
    baseUrl,
    followRows: life.followRows,
  });
  const shared = { jobs, gateway, sources, recipients, noticeModule, runs, life, send, adminSettings };
  return {
    baseUrl,
    noticeModule,
    notices,
    life,
    runs,
    shared,
    subscriptions: composeSubscriptions(infra, { ...rows, runs, life, recipients, adminSettings }),
    quality: composeDataContracts(infra, shared),
    migration: await composeDataMigration(infra, { ...shared, notices, watchdogs }),
  };
}

/** Composes projects, sources, queries, recipients, runs and subscriptions, and their jobs. */
export async function composeWatching(
  infra: Infrastructure,
  { notify }: EventsModule,
  options: Options,
): Promise<Watching> {
  const foundation = await openFoundation(infra, notify, options);
  const { jobs, gateway, administration, projects, requests, watchdogs, rows } = foundation;
  const { llm, requireModel, llmLimits } = administration;
  const querying = composeQuerying(infra, foundation);
  const { sources, learning, asking, queries, recipients, secrets } = querying;
  const monitoring = await composeMonitoring(infra, notify, foundation, querying);
  const { shared, noticeModule, notices, life, runs, subscriptions, quality, migration } = monitoring;
  const { runSql } = gateway;
  const { messages } = runs;
  const { documents: hostDocuments } = options;
  const hostEndpoints = composeHostEndpoints(infra, { jobs, declarations: options.endpoints });
  const recordModules = { projects, sources, queries, recipients, subscriptions, quality, migration };
  return {
    modules: [
      ...(hostEndpoints ? [hostEndpoints] : []),
      composeRetention(infra, { jobs }),
      watchdogs,
      gateway,
      administration,
      projects,
      ...composeProjectContent(infra, { jobs, sources, gateway, llm, requireModel, hostDocuments }),
      sources,
      learning,
      asking,
      composeEvaluation(infra, { ...shared, requireModel, answering: asking.answering }),
      queries,
      secrets,
      recipients,
      composeApprovals(infra, { notify, requests, recipients, queries }),
      noticeModule,
      runs,
      composePreviews(infra, { ...rows, runSql, queries, messages, recipients, baseUrl: monitoring.baseUrl }),
      subscriptions,
      quality,
      composeAiActors(infra, { ...shared, llm, requests, notify, queries, subscriptions, quality }),
      migration,
      ...composeOverview(infra, { jobs, runs, life, notices, sources, queries, quality, llmLimits }),
      composeJobEngine(infra, jobs),
    ],
    jobs,
    gateway,
    sources,
    asking: asking.ask,
    note: learning.note,
    history: runs.history,
    hostEndpoints,
    defined: { administration, ...recordModules },
    demo: composeDemo(infra, recordModules),
    rotateSecrets: secrets.rotate,
    tellResponsible: notices.tellResponsible,
  };
}
