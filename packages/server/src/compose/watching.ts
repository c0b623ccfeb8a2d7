import { createChangeRequests } from '../domains/approvals/index.ts';
import type { AskService } from '../domains/ask/index.ts';
import type { Demo } from '../domains/demo/index.ts';
import type { HistoryService } from '../domains/run-history/index.ts';
import type { SecretsService } from '../domains/secrets/index.ts';
import type { SvcOptions } from '../svc.ts';
import { composeAdministration } from './administration.ts';
import { composeApprovals } from './approvals.ts';
import { composeAsk } from './ask.ts';
import { composeControlTower } from './control-tower.ts';
import { composeDataContracts } from './data-contracts.ts';
import { composeDataMigration } from './data-migration.ts';
import { composeDataSources, type DataSourcesPart } from './data-sources.ts';
import { composeDemo } from './demo.ts';
import { composeDocumentation } from './documentation.ts';
import { composeDocuments } from './documents.ts';
import type { EventsPart } from './events.ts';
import { composeGlossary } from './glossary.ts';
import { composeGoldenExamples } from './golden-examples.ts';
import type { Ground } from './ground.ts';
import { composeJobEngine, makeJobEngine } from './job-engine.ts';
import { registerGauges } from './metrics.ts';
import { composeNotices } from './notices.ts';
import type { Part } from './part.ts';
import { composePreviews } from './previews.ts';
import { composeProjects } from './projects.ts';
import { composeQueries, type QueriesPart } from './queries.ts';
import { composeRecipients } from './recipients.ts';
import { composeRepositories } from './repositories.ts';
import { composeRetention } from './retention.ts';
import { openRunSqlDoor, type RunSqlDoor } from './run-sql-door.ts';
import { composeRuns } from './runs.ts';
import { composeSchemaDrift } from './schema-drift.ts';
import { composeSecrets } from './secrets.ts';
import { openSendDoor } from './send-door.ts';
import { composeSubscriptions } from './subscriptions.ts';
import { composeTaskLife, composeTasks } from './tasks.ts';

/** Everything that watches databases, in the order in which its parts start. */
export type Watching = {
  readonly parts: readonly Part[];
  readonly door: RunSqlDoor;
  readonly asking: AskService;
  readonly sources: DataSourcesPart;
  readonly history: HistoryService;
  readonly demo: Demo;
  readonly rotateSecrets: SecretsService['rotate'];
};

type OverviewDeps = {
  readonly jobs: ReturnType<typeof makeJobEngine>;
  readonly runs: ReturnType<typeof composeRuns>;
  readonly life: ReturnType<typeof composeTaskLife>;
  readonly notices: ReturnType<typeof composeNotices>['notices'];
  readonly sources: DataSourcesPart;
  readonly queries: QueriesPart;
  readonly quality: ReturnType<typeof composeDataContracts>;
};

/** Puts together projects, sources, queries, recipients, runs and subscriptions, and the jobs that they run in. */
export async function composeWatching(
  ground: Ground,
  { notify }: EventsPart,
  options: Pick<SvcOptions, 'config' | 'jobs' | 'documents'>,
): Promise<Watching> {
  const jobs = makeJobEngine(ground, { notify, options: options.jobs });
  const door = await openRunSqlDoor(ground);
  const administration = composeAdministration(ground, options.config);
  const { llm, adminSettings } = administration;
  const baseUrl = () => adminSettings.valueOf('baseUrl');
  const projects = composeProjects(ground);
  const sources = composeDataSources(ground, door, jobs);
  const requests = createChangeRequests({ audit: ground.audit });
  const { runSql } = door;
  const asking = composeAsk(ground, { jobs, sources, door, llm });
  const queries = composeQueries(ground, { runSql, openDataSources: sources.openDataSources, requests });
  const recipients = composeRecipients(ground, { requests });
  const send = openSendDoor(ground, recipients);
  const secrets = composeSecrets(ground, { requests });
  const told = composeNotices(ground, { jobs, notify, send, baseUrl });
  const { notices } = told;
  const life = composeTaskLife(ground, { jobs, notices, notify });
  const runs = composeRuns(ground, {
    ...{ jobs, notify, notices, runSql, send, planQuery: queries.planQuery, baseUrl },
    followRows: life.followRows,
  });
  const subscriptions = composeSubscriptions(ground, { runs, recipients, adminSettings });
  const contracts = { jobs, door, sources, recipients, told, runs, life, send, adminSettings };
  const quality = composeDataContracts(ground, contracts);
  const migration = await composeDataMigration(ground, { jobs, adminSettings, door, sources, notices });
  return {
    parts: [
      composeRetention(ground, { jobs }),
      door,
      administration,
      projects,
      ...composeProjectContent(ground, { jobs, sources, door, given: options.documents }),
      sources,
      asking,
      queries,
      secrets,
      recipients,
      composeApprovals(ground, { notify, requests, recipients, queries }),
      told,
      runs,
      composePreviews(ground, { runSql, queries, messages: runs.messages, recipients, baseUrl }),
      subscriptions,
      quality,
      migration,
      ...composeOverview(ground, { jobs, runs, life, notices, sources, queries, quality }),
      composeJobEngine(ground, jobs),
    ],
    door,
    sources,
    asking: asking.ask,
    history: runs.history,
    demo: composeDemo(ground, { projects, sources, queries, recipients, subscriptions, quality, migration }),
    rotateSecrets: secrets.rotate,
  };
}

/** What a project carries beside its queries: documents, code, documentation, words, examples. */
const composeProjectContent = (
  ground: Ground,
  deps: Parameters<typeof composeDocuments>[1] &
    Parameters<typeof composeDocumentation>[1] &
    Parameters<typeof composeGoldenExamples>[1],
): readonly Part[] => [
  composeDocuments(ground, deps),
  composeRepositories(ground, deps),
  composeDocumentation(ground, deps),
  composeGlossary(ground),
  composeGoldenExamples(ground, deps),
];

/** What people look at to see how things are: changes of schemas, tasks, the control tower, home. */
function composeOverview(ground: Ground, deps: OverviewDeps): readonly Part[] {
  const { jobs, life, notices } = deps;
  const { history } = deps.runs;
  registerGauges(ground, deps);
  return [
    composeSchemaDrift(ground, deps),
    composeTasks(ground, { life, notices, history }),
    composeControlTower(ground, { jobs, history, evaluations: deps.quality.evaluations }),
  ];
}
