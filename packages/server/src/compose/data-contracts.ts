import type { Jobs } from '@svc/jobs';
import {
  createAlerts,
  createContractSchedule,
  createEvaluate,
  createEvaluationJobs,
  createEvaluationsService,
  createPlanContract,
  createSamples,
  createStartEvaluation,
  type EvaluationsService,
  evaluationRoutes,
} from '../domains/contract-evaluations/index.ts';
import { createOdcsService, odcsRoutes } from '../domains/contract-odcs/index.ts';
import {
  createDataContractsService,
  createReachContract,
  type DataContractsService,
  dataContractRoutes,
} from '../domains/data-contracts/index.ts';
import { deliverWith } from '../domains/deliveries/index.ts';
import type { TellResponsible } from '../domains/notices/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import { startedBy } from '../domains/realtime/index.ts';
import { createSchedules } from '../domains/subscriptions/index.ts';
import type { Send } from '../doors/send/index.ts';
import type { AdministrationPart } from './administration.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import { executionLimits, maskingOf } from './queries.ts';
import type { RecipientsPart } from './recipients.ts';
import type { RunSqlDoor } from './run-sql-door.ts';
import type { RunsPart } from './runs.ts';
import type { TaskLife } from './tasks.ts';

type ContractsDeps = {
  readonly jobs: Jobs;
  readonly door: Pick<RunSqlDoor, 'runSql' | 'dialectOf'>;
  readonly sources: Pick<DataSourcesPart, 'openDataSources'>;
  readonly recipients: Pick<RecipientsPart, 'approvals'>;
  readonly told: { readonly notices: { readonly tellResponsible: TellResponsible } };
  readonly runs: Pick<RunsPart, 'messages' | 'ending'>;
  readonly life: Pick<TaskLife, 'followEvaluation' | 'recordAcknowledgement'>;
  readonly send: Send;
  readonly adminSettings: AdministrationPart['adminSettings'];
};

export type ContractsPart = Part & {
  readonly contracts: DataContractsService;
  readonly evaluations: EvaluationsService;
};

/** Composes data contracts on tables, and their evaluations. */
export function composeDataContracts(ground: Ground, deps: ContractsDeps): ContractsPart {
  const { database, audit, clock, settings } = ground;
  const { jobs, door } = deps;
  const contracts = createDataContractsService({
    database,
    rights: projectRights,
    audit,
    schedules: createSchedules({
      minimumIntervalSeconds: settings.subscriptions.minimumIntervalSeconds,
      defaultTimeZone: async () => (await deps.adminSettings.valueOf('defaultTimeZone')) ?? 'UTC',
      now: () => clock.now(),
    }),
    setSchedule: createContractSchedule(jobs),
    recipientState: deps.recipients.approvals.stateOf,
    recordAcknowledgement: deps.life.recordAcknowledgement,
  });
  const { maxExecutionRows: maxRows, timeoutSeconds } = executionLimits(settings);
  const asking = {
    database,
    runSql: door.runSql,
    masking: maskingOf(settings),
    maxRows,
    planContract: createPlanContract({
      openDataSources: deps.sources.openDataSources,
      dialectOf: door.dialectOf,
      runSql: door.runSql,
    }),
    samples: createSamples(ground.keys, ground.random),
  };
  const starting = createStartEvaluation({ jobs, startedBy });
  const evaluations = createEvaluationsService({
    ...asking,
    audit,
    starting,
    rights: projectRights,
    reach: createReachContract(projectRights),
  });
  const { tellResponsible } = deps.told.notices;
  const { messages, ending } = deps.runs;
  const evaluate = createEvaluate({
    ...asking,
    tellResponsible,
    followEvaluation: deps.life.followEvaluation,
    timeoutMs: timeoutSeconds * 1_000,
    alert: createAlerts({
      jobs,
      database,
      clock,
      messages,
      ending,
      tellResponsible,
      deliver: deliverWith(deps.send),
      baseUrl: () => deps.adminSettings.valueOf('baseUrl'),
    }),
  });
  const work = createEvaluationJobs({ jobs, database, starting, evaluate });
  return {
    contracts,
    evaluations,
    routes: [
      ...evaluationRoutes(evaluations),
      ...dataContractRoutes(contracts, () => clock.now()),
      ...odcsRoutes(createOdcsService({ database, rights: projectRights, contracts })),
    ],
    start: async () => {
      if (settings.process.runsJobs) await work.start();
    },
  };
}
