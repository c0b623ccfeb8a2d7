import type { Jobs } from '@svc/jobs';
import {
  aiActorRoutes,
  aiPlanRoutes,
  createActing,
  createActorJobs,
  createAiActorsService,
  createApply,
  createClosePlan,
  createEndThinking,
  createPlanDecisions,
  createPlansService,
  createPropose,
  createProve,
  createThink,
} from '../../domains/ai-actors/index.ts';
import type { ChangeRequests } from '../../domains/approvals/index.ts';
import { assertRulesFit } from '../../domains/data-contracts/index.ts';
import { createReadKnown } from '../../domains/grounding/index.ts';
import type { TellResponsible } from '../../domains/notices/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import type { Notify } from '../../domains/realtime/index.ts';
import { createSchedules } from '../../domains/subscriptions/index.ts';
import type { Llm } from '../../gateways/llm/index.ts';
import { personalNames } from '../../gateways/run-sql/index.ts';
import type { AdministrationModule } from '../administration.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import type { ContractsModule } from '../runs/data-contracts.ts';
import type { RunsModule } from '../runs/runs.ts';
import type { SubscriptionsModule } from '../runs/subscriptions.ts';
import type { DataSourcesModule } from '../sources/data-sources.ts';
import { maskingOf, type QueriesModule } from '../sources/queries.ts';
import type { RunSqlGateway } from '../sources/run-sql-gateway.ts';
import { checkStatementBy } from '../sources/statement-check.ts';
import { runStatementBy } from '../sources/statement-run.ts';

type AiActorsDeps = {
  readonly jobs: Jobs;
  readonly llm: Llm;
  readonly gateway: RunSqlGateway;
  readonly sources: DataSourcesModule;
  readonly requests: ChangeRequests;
  readonly notify: Notify;
  readonly noticeModule: { readonly notices: { readonly tellResponsible: TellResponsible } };
  readonly runs: Pick<RunsModule, 'starting'>;
  readonly queries: Pick<QueriesModule, 'queries'>;
  readonly subscriptions: Pick<SubscriptionsModule, 'subscriptions'>;
  readonly quality: Pick<ContractsModule, 'contracts'>;
  readonly adminSettings: AdministrationModule['adminSettings'];
};

/** Composes AI actors, which propose queries, subscriptions and contracts, and the plans that users decide on. */
export function composeAiActors(infra: Infrastructure, deps: AiActorsDeps): Module {
  const { database, audit, clock, keys, random, settings } = infra;
  const { jobs, llm, gateway, requests } = deps;
  const { starting } = deps.runs;
  const { aiPlanChanged } = deps.notify;
  const { dialectOf } = gateway;
  const rights = projectRights;
  const schedules = schedulesOf(infra, deps);
  const acting = createActing(rights);
  const closePlan = createClosePlan({ audit, requests, aiPlanChanged });
  const apply = createApply({
    queries: deps.queries.queries,
    subscriptions: deps.subscriptions.subscriptions,
    contracts: deps.quality.contracts,
  });
  const propose = createPropose({ requests, vault: { keys, random }, dialectOf, closePlan, aiPlanChanged });
  const { tellResponsible } = deps.noticeModule.notices;
  const ending = createEndThinking({ database, audit, acting, apply, propose, starting, tellResponsible });
  const think = thinkingOf(infra, deps, { acting, ending, schedules });
  const actors = createAiActorsService({
    database,
    rights,
    audit,
    schedules,
    llm,
    starting,
    acting,
    closePlan,
  });
  const plans = createPlansService({ database, rights, keys });
  const decisions = createPlanDecisions({
    database,
    clock,
    rights,
    plans,
    acting,
    starting,
    apply,
    closePlan,
    dialectOf,
    llm,
  });
  const work = createActorJobs({ jobs, database, clock, acting, ending, starting, closePlan, think });
  return {
    routes: [...aiActorRoutes(actors), ...aiPlanRoutes(actors, plans, decisions)],
    start: async () => {
      if (settings.process.runsJobs) await work.start();
    },
  };
}

const schedulesOf = ({ clock, settings }: Infrastructure, { adminSettings }: AiActorsDeps) =>
  createSchedules({
    minimumIntervalSeconds: settings.subscriptions.minimumIntervalSeconds,
    defaultTimeZone: async () => (await adminSettings.valueOf('defaultTimeZone')) ?? 'UTC',
    now: () => clock.now(),
  });

/** Creates the thinking step of AI actors from data knowledge, model and gates. */
function thinkingOf(
  infra: Infrastructure,
  deps: AiActorsDeps,
  modules: {
    readonly acting: ReturnType<typeof createActing>;
    readonly ending: ReturnType<typeof createEndThinking>;
    readonly schedules: ReturnType<typeof createSchedules>;
  },
) {
  const { database } = infra;
  const { sources, gateway, llm } = deps;
  const check = checkStatementBy(infra, deps);
  const readKnown = createReadKnown({ database, snapshotOf: sources.snapshotOf });
  return createThink({
    database,
    llm,
    dialectOf: gateway.dialectOf,
    acting: modules.acting,
    ending: modules.ending,
    readKnown: async (projectId, ...rest) => {
      await sources.readUnread(projectId);
      return readKnown(projectId, ...rest);
    },
    isPersonal: personalNames(maskingOf(infra.settings)),
    prove: createProve({
      check: ({ dataSourceId, sql }, call) => check(dataSourceId, sql, call),
      run: runStatementBy(infra, deps),
      schedules: modules.schedules,
      assertRulesFit: (place, rules) => assertRulesFit(database, place, rules),
    }),
  });
}
