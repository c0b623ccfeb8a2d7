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
} from '../domains/ai-actors/index.ts';
import type { ChangeRequests } from '../domains/approvals/index.ts';
import { assertRulesFit } from '../domains/data-contracts/index.ts';
import { createReadKnown } from '../domains/grounding/index.ts';
import type { TellResponsible } from '../domains/notices/index.ts';
import { projectRights } from '../domains/projects/index.ts';
import type { Notify } from '../domains/realtime/index.ts';
import { createSchedules } from '../domains/subscriptions/index.ts';
import type { Llm } from '../doors/llm/index.ts';
import { personalNames } from '../doors/run-sql/index.ts';
import type { AdministrationPart } from './administration.ts';
import type { ContractsPart } from './data-contracts.ts';
import type { DataSourcesPart } from './data-sources.ts';
import type { Ground } from './ground.ts';
import type { Part } from './part.ts';
import { maskingOf, type QueriesPart } from './queries.ts';
import type { RunSqlDoor } from './run-sql-door.ts';
import type { RunsPart } from './runs.ts';
import { checkStatementBy } from './statement-check.ts';
import { runStatementBy } from './statement-run.ts';
import type { SubscriptionsPart } from './subscriptions.ts';

type AiActorsDeps = {
  readonly jobs: Jobs;
  readonly llm: Llm;
  readonly door: RunSqlDoor;
  readonly sources: DataSourcesPart;
  readonly requests: ChangeRequests;
  readonly notify: Notify;
  readonly told: { readonly notices: { readonly tellResponsible: TellResponsible } };
  readonly runs: Pick<RunsPart, 'starting'>;
  readonly queries: Pick<QueriesPart, 'queries'>;
  readonly subscriptions: Pick<SubscriptionsPart, 'subscriptions'>;
  readonly quality: Pick<ContractsPart, 'contracts'>;
  readonly adminSettings: AdministrationPart['adminSettings'];
};

/** Composes AI actors, which propose queries, subscriptions and contracts, and the plans that users decide on. */
export function composeAiActors(ground: Ground, deps: AiActorsDeps): Part {
  const { database, audit, clock, keys, random, settings } = ground;
  const { jobs, llm, door, requests } = deps;
  const { starting } = deps.runs;
  const { aiPlanChanged } = deps.notify;
  const { dialectOf } = door;
  const rights = projectRights;
  const schedules = schedulesOf(ground, deps);
  const acting = createActing(rights);
  const closePlan = createClosePlan({ audit, requests, aiPlanChanged });
  const apply = createApply({
    queries: deps.queries.queries,
    subscriptions: deps.subscriptions.subscriptions,
    contracts: deps.quality.contracts,
  });
  const propose = createPropose({ requests, vault: { keys, random }, dialectOf, closePlan, aiPlanChanged });
  const { tellResponsible } = deps.told.notices;
  const ending = createEndThinking({ database, audit, acting, apply, propose, starting, tellResponsible });
  const think = thinkingOf(ground, deps, { acting, ending, schedules });
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

const schedulesOf = ({ clock, settings }: Ground, { adminSettings }: AiActorsDeps) =>
  createSchedules({
    minimumIntervalSeconds: settings.subscriptions.minimumIntervalSeconds,
    defaultTimeZone: async () => (await adminSettings.valueOf('defaultTimeZone')) ?? 'UTC',
    now: () => clock.now(),
  });

/** Creates the thinking step of AI actors from data knowledge, model and gates. */
function thinkingOf(
  ground: Ground,
  deps: AiActorsDeps,
  parts: {
    readonly acting: ReturnType<typeof createActing>;
    readonly ending: ReturnType<typeof createEndThinking>;
    readonly schedules: ReturnType<typeof createSchedules>;
  },
) {
  const { database } = ground;
  const { sources, door, llm } = deps;
  const check = checkStatementBy(ground, deps);
  const readKnown = createReadKnown({ database, snapshotOf: sources.snapshotOf });
  return createThink({
    database,
    llm,
    dialectOf: door.dialectOf,
    acting: parts.acting,
    ending: parts.ending,
    readKnown: async (projectId, ...rest) => {
      await sources.readUnread(projectId);
      return readKnown(projectId, ...rest);
    },
    isPersonal: personalNames(maskingOf(ground.settings)),
    prove: createProve({
      check: ({ dataSourceId, sql }, call) => check(dataSourceId, sql, call),
      run: runStatementBy(ground, deps),
      schedules: parts.schedules,
      assertRulesFit: (place, rules) => assertRulesFit(database, place, rules),
    }),
  });
}
