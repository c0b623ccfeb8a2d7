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
} from '../../domains/contract-evaluations/index.ts';
import { createOdcsService, odcsRoutes } from '../../domains/contract-odcs/index.ts';
import {
  createDataContractsService,
  createReachContract,
  type DataContractsService,
  dataContractRoutes,
} from '../../domains/data-contracts/index.ts';
import { deliverWith } from '../../domains/deliveries/index.ts';
import type { TellResponsible } from '../../domains/notices/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import { startedBy } from '../../domains/realtime/index.ts';
import { createSchedules } from '../../domains/subscriptions/index.ts';
import type { Send } from '../../gateways/send/index.ts';
import type { AdministrationModule } from '../administration.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { DataSourcesModule } from '../sources/data-sources.ts';
import { executionLimits, maskingOf } from '../sources/queries.ts';
import type { RunSqlGateway } from '../sources/run-sql-gateway.ts';
import type { RecipientsModule } from './recipients.ts';
import type { RunsModule } from './runs.ts';
import type { TaskLife } from './tasks.ts';

type ContractsDeps = {
  readonly jobs: Jobs;
  readonly gateway: Pick<RunSqlGateway, 'runSql' | 'dialectOf'>;
  readonly sources: Pick<DataSourcesModule, 'openDataSources'>;
  readonly recipients: Pick<RecipientsModule, 'approvals'>;
  readonly noticeModule: { readonly notices: { readonly tellResponsible: TellResponsible } };
  readonly runs: Pick<RunsModule, 'messages' | 'ending'>;
  readonly life: Pick<TaskLife, 'followEvaluation' | 'recordAcknowledgement'>;
  readonly send: Send;
  readonly adminSettings: AdministrationModule['adminSettings'];
};

export type ContractsModule = Module & {
  readonly contracts: DataContractsService;
  readonly evaluations: EvaluationsService;
};

/** Composes data contracts on tables, and their evaluations. */
export function composeDataContracts(infra: Infrastructure, deps: ContractsDeps): ContractsModule {
  const { database, audit, clock, settings } = infra;
  const { jobs, gateway } = deps;
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
    runSql: gateway.runSql,
    masking: maskingOf(settings),
    maxRows,
    planContract: createPlanContract({
      openDataSources: deps.sources.openDataSources,
      dialectOf: gateway.dialectOf,
      runSql: gateway.runSql,
    }),
    samples: createSamples(infra.keys, infra.random),
  };
  const starting = createStartEvaluation({ jobs, startedBy });
  const evaluations = createEvaluationsService({
    ...asking,
    audit,
    starting,
    rights: projectRights,
    reach: createReachContract(projectRights),
  });
  const { tellResponsible } = deps.noticeModule.notices;
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
