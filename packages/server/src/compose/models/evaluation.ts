import type { Jobs } from '@svc/jobs';
import { type Answering, namedTables } from '../../domains/ask/index.ts';
import {
  createEvalSchedulesService,
  createEvaluationService,
  createStartRun,
  evalScheduleRoutes,
  evaluationRoutes,
} from '../../domains/evaluation/index.ts';
import type { RequireModel } from '../../domains/llm-usage/index.ts';
import { mcpValuesOf } from '../../domains/mcp/index.ts';
import type { TellResponsible } from '../../domains/notices/index.ts';
import { startedBy } from '../../domains/realtime/index.ts';
import { createSchedules } from '../../domains/subscriptions/index.ts';
import type { AdministrationModule } from '../administration.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { DataSourcesModule } from '../sources/data-sources.ts';
import type { RunSqlGateway } from '../sources/run-sql-gateway.ts';

type EvaluationDeps = {
  readonly jobs: Jobs;
  readonly requireModel: RequireModel;
  readonly answering: Answering;
  readonly gateway: Pick<RunSqlGateway, 'dialectOf'>;
  readonly sources: Pick<DataSourcesModule, 'snapshotOf'>;
  readonly noticeModule: { readonly notices: { readonly tellResponsible: TellResponsible } };
  readonly adminSettings: AdministrationModule['adminSettings'];
};

/**
 * Composes evaluations of answer quality against questions with a known answer, started manually or on a project's
 * schedule.
 */
export function composeEvaluation(infra: Infrastructure, deps: EvaluationDeps): Module {
  const { database, audit, clock, settings } = infra;
  const { jobs, requireModel, answering, sources, gateway } = deps;
  const startRun = createStartRun({ jobs, audit, startedBy });
  const schedules = createEvalSchedulesService({
    database,
    jobs,
    audit,
    clock,
    requireModel,
    startRun,
    tellResponsible: deps.noticeModule.notices.tellResponsible,
    schedules: createSchedules({
      minimumIntervalSeconds: settings.subscriptions.minimumIntervalSeconds,
      defaultTimeZone: async () => (await deps.adminSettings.valueOf('defaultTimeZone')) ?? 'UTC',
      now: () => clock.now(),
    }),
  });
  const evaluation = createEvaluationService({
    database,
    jobs,
    clock,
    requireModel,
    answering,
    startRun,
    onCompleted: schedules.completed,
    candidatesOf: async (projectId) =>
      (await mcpValuesOf(database, settings.mcp.governance, projectId)).candidates,
    pauseMs: 10_000,
    tablesOf: async (dataSourceId) => {
      const { tables, engine } = await sources.snapshotOf(dataSourceId);
      const names = new Set(tables.map(({ name }) => name.toLowerCase()));
      return (sql) => namedTables(sql, gateway.dialectOf(engine), names);
    },
  });
  return { routes: [...evaluationRoutes(evaluation), ...evalScheduleRoutes(schedules)] };
}
