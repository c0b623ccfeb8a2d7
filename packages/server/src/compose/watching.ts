import type { Jobs } from '@svc/jobs';
import { createChangeRequests } from '../domains/approvals/index.ts';
import type { AskService } from '../domains/ask/index.ts';
import type { Demo } from '../domains/demo/index.ts';
import type { TellResponsible } from '../domains/notices/index.ts';
import type { HistoryService } from '../domains/run-history/index.ts';
import type { SecretsService } from '../domains/secrets/index.ts';
import type { SvcOptions } from '../svc.ts';
import { composeAdministration } from './administration.ts';
import { composeAiActors } from './ai-actors.ts';
import { composeApprovals } from './approvals.ts';
import { composeAsk } from './ask.ts';
import { composeDataContracts } from './data-contracts.ts';
import { composeDataMigration } from './data-migration.ts';
import { composeDataSources, type DataSourcesPart } from './data-sources.ts';
import type { DefinitionsDeps } from './definitions.ts';
import { composeDemo } from './demo.ts';
import { composeEvaluation } from './evaluation.ts';
import type { EventsPart } from './events.ts';
import type { Ground } from './ground.ts';
import { composeHostEndpoints, type HostEndpoints } from './host-endpoints.ts';
import { composeJobEngine, makeJobEngine } from './job-engine.ts';
import { composeLearning, type LearningPart } from './learning.ts';
import { composeNotices } from './notices.ts';
import { composeOverview } from './overview.ts';
import type { Part } from './part.ts';
import { composePreviews } from './previews.ts';
import { composeProjectContent } from './project-content.ts';
import { composeProjects } from './projects.ts';
import { composeQueries } from './queries.ts';
import { composeRecipients } from './recipients.ts';
import { composeRetention } from './retention.ts';
import { openRowMemories, openRowRoutings } from './row-memories.ts';
import { openRunSqlDoor, type RunSqlDoor } from './run-sql-door.ts';
import { composeRuns } from './runs.ts';
import { composeSecrets } from './secrets.ts';
import { openSendDoor } from './send-door.ts';
import { composeSubscriptions } from './subscriptions.ts';
import { composeTaskLife } from './tasks.ts';
import { openWatchdogs } from './watchdogs.ts';

/** Modules that watch databases, in start order. */
export type Watching = {
  readonly parts: readonly Part[];
  readonly jobs: Pick<Jobs, 'probe'>;
  readonly door: RunSqlDoor;
  readonly asking: AskService;
  readonly note: LearningPart['note'];
  readonly sources: DataSourcesPart;
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
const openFoundation = async (ground: Ground, notify: EventsPart['notify'], options: Options) => ({
  jobs: makeJobEngine(ground, { notify, options: options.jobs }),
  door: await openRunSqlDoor(ground),
  administration: composeAdministration(ground, options.config),
  projects: composeProjects(ground),
  requests: createChangeRequests({ audit: ground.audit }),
  watchdogs: openWatchdogs(ground),
  rows: { memories: openRowMemories(ground), routings: openRowRoutings(ground) },
});

/** Composes projects, sources, queries, recipients, runs and subscriptions, and their jobs. */
export async function composeWatching(
  ground: Ground,
  { notify }: EventsPart,
  options: Options,
): Promise<Watching> {
  const foundation = await openFoundation(ground, notify, options);
  const { jobs, door, administration, projects, requests, watchdogs, rows } = foundation;
  const [{ llm, requireModel, llmLimits, adminSettings }, { runSql }] = [administration, door];
  const baseUrl = () => adminSettings.valueOf('baseUrl');
  const sources = composeDataSources(ground, door, jobs);
  const learning = composeLearning(ground, { jobs, sources, door });
  const asking = composeAsk(ground, { jobs, sources, door, llm, requireModel, note: learning.note });
  const queries = composeQueries(ground, { runSql, openDataSources: sources.openDataSources, requests });
  const recipients = composeRecipients(ground, { requests });
  const [send, secrets] = [openSendDoor(ground, recipients), composeSecrets(ground, { requests })];
  const noticeModule = composeNotices(ground, { jobs, notify, send, baseUrl });
  const { notices } = noticeModule;
  const life = composeTaskLife(ground, { jobs, notices, notify });
  const runs = composeRuns(ground, {
    ...rows,
    watchdogs,
    jobs,
    notify,
    notices,
    runSql,
    send,
    planQuery: queries.planQuery,
    baseUrl,
    followRows: life.followRows,
  });
  const subscriptions = composeSubscriptions(ground, { ...rows, runs, life, recipients, adminSettings });
  const contracts = { jobs, door, sources, recipients, told: noticeModule, runs, life, send, adminSettings };
  const quality = composeDataContracts(ground, contracts);
  const migration = await composeDataMigration(ground, { ...contracts, notices, watchdogs });
  const hostEndpoints = composeHostEndpoints(ground, { jobs, declarations: options.endpoints });
  return {
    parts: [
      ...(hostEndpoints ? [hostEndpoints] : []),
      composeRetention(ground, { jobs }),
      watchdogs,
      door,
      administration,
      projects,
      ...composeProjectContent(ground, { jobs, sources, door, llm, requireModel, given: options.documents }),
      sources,
      learning,
      asking,
      composeEvaluation(ground, { ...contracts, requireModel, answering: asking.answering }),
      queries,
      secrets,
      recipients,
      composeApprovals(ground, { notify, requests, recipients, queries }),
      noticeModule,
      runs,
      composePreviews(ground, { runSql, queries, messages: runs.messages, ...rows, recipients, baseUrl }),
      subscriptions,
      quality,
      composeAiActors(ground, { ...contracts, llm, requests, notify, queries, subscriptions, quality }),
      migration,
      ...composeOverview(ground, { jobs, runs, life, notices, sources, queries, quality, llmLimits }),
      composeJobEngine(ground, jobs),
    ],
    jobs,
    door,
    sources,
    asking: asking.ask,
    note: learning.note,
    history: runs.history,
    hostEndpoints,
    defined: { administration, projects, sources, queries, recipients, subscriptions, quality, migration },
    demo: composeDemo(ground, { projects, sources, queries, recipients, subscriptions, quality, migration }),
    rotateSecrets: secrets.rotate,
    tellResponsible: notices.tellResponsible,
  };
}
