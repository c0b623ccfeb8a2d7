import type { Jobs } from '@svc/jobs';
import { createStartThinking, type StartThinking } from '../../domains/ai-actors/index.ts';
import {
  createAttempts,
  createResendService,
  deliverWith,
  deliveryRoutes,
} from '../../domains/deliveries/index.ts';
import {
  createMissedRunsService,
  createSkipOverlapping,
  type MissedRunsService,
} from '../../domains/missed-runs/index.ts';
import type { NoticesService } from '../../domains/notices/index.ts';
import { projectRights } from '../../domains/projects/index.ts';
import { type Notify, startedBy } from '../../domains/realtime/index.ts';
import {
  createFoldJobs,
  createHistoryService,
  type HistoryService,
  historyRoutes,
} from '../../domains/run-history/index.ts';
import { createFrozenMessages, type FrozenMessages } from '../../domains/run-messages/index.ts';
import {
  createResumeAt,
  createRunEnding,
  createRunJobs,
  createRunPipeline,
  createRunSchedule,
  type RunEnding,
  type RunJobs,
  type RunSchedule,
} from '../../domains/runs/index.ts';
import { createStopSubscription } from '../../domains/subscriptions/index.ts';
import type { RunSql } from '../../gateways/run-sql/index.ts';
import type { Send } from '../../gateways/send/index.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';
import { countedRuns } from '../overview/metrics.ts';
import { executionLimits, maskingOf, type QueriesModule } from '../sources/queries.ts';
import type { RowModules } from './row-memories.ts';
import type { TaskLife } from './tasks.ts';
import { composeRunWatchdog, type Watchdogs } from './watchdogs.ts';

export type RunsModule = Module & {
  readonly history: HistoryService;
  readonly missedRuns: MissedRunsService;
  readonly messages: FrozenMessages;
  readonly ending: RunEnding;
  /** Starts and stops the schedule of a subscription. */
  readonly setSchedule: RunSchedule['set'];
  readonly startTestRun: RunJobs['startTestRun'];
  /** Starts the thinking of AI actors, for example after a run. */
  readonly starting: StartThinking;
};

type RunsDeps = RowModules & {
  readonly watchdogs: Watchdogs;
  readonly jobs: Jobs;
  readonly notify: Notify;
  readonly notices: NoticesService;
  readonly followRows: TaskLife['followRows'];
  readonly runSql: RunSql;
  readonly send: Send;
  readonly planQuery: QueriesModule['planQuery'];
  readonly baseUrl: () => Promise<string | undefined>;
};

/** Composes runs of subscriptions: schedule, record, deliveries, and the notice to the owner. */
export function composeRuns(infra: Infrastructure, deps: RunsDeps): RunsModule {
  const { database, log, audit, settings } = infra;
  const { jobs, send } = deps;
  const rights = projectRights;
  const { messages, attempts, schedule, ending, starting } = composeEnds(infra, deps);
  const pipeline = createRunPipeline({
    database,
    log,
    clock: infra.clock,
    messages,
    ending,
    runSql: deps.runSql,
    planQuery: deps.planQuery,
    baseUrl: deps.baseUrl,
    memories: deps.memories,
    routings: deps.routings,
    deliver: deliverWith(send),
    resumeAt: createResumeAt(jobs),
    limits: {
      ...executionLimits(settings),
      rowMemoryMaxRows: settings.subscriptions.rowMemoryMaxRows,
    },
    masking: maskingOf(settings),
    graceSeconds: settings.subscriptions.missedRunGraceSeconds,
    skipOverlapping: createSkipOverlapping({ database, tellResponsible: deps.notices.tellResponsible }),
  });
  const watchdog = composeRunWatchdog(infra, deps);
  const runJobs = createRunJobs({ jobs, database, log, pipeline, ending, startedBy });
  const history = createHistoryService({ database, rights });
  const fold = createFoldJobs({ jobs, executor: database });
  const resend = createResendService({ database, rights, audit, attempts });
  return {
    history,
    missedRuns: createMissedRunsService({ database }),
    messages,
    ending,
    starting,
    setSchedule: schedule.set,
    startTestRun: runJobs.startTestRun,
    routes: [...historyRoutes(history), ...deliveryRoutes(resend)],
    start: async () => {
      watchdog.start();
      if (!settings.process.runsJobs) return;
      await runJobs.start();
      await fold.start();
      await watchdog.heartbeat.start();
      await attempts.start();
    },
    close: watchdog.close,
  };
}

/** Composes the end of runs and its consequences: notices, further attempts, the stop of a subscription. */
function composeEnds(infra: Infrastructure, deps: RunsDeps) {
  const { jobs, notify, notices, send, followRows } = deps;
  const { database, settings } = infra;
  const messages = createFrozenMessages({
    executor: database,
    keys: infra.keys,
    random: infra.random,
    fileBytesMax: settings.attachmentBytesMax,
  });
  const attempts = createAttempts({
    jobs,
    database,
    send,
    messages,
    tellResponsible: notices.tellResponsible,
    keepMessagesDays: settings.keepMessagesDays,
  });
  const schedule = createRunSchedule(jobs);
  const starting = createStartThinking({ jobs, startedBy });
  const ending = createRunEnding({
    database,
    events: countedRuns(infra.telemetry, notify),
    tellResponsible: notices.tellResponsible,
    stopSubscription: createStopSubscription({ audit: infra.audit, setSchedule: schedule.set }),
    followDeliveries: attempts.followRun,
    followRows,
    thinkAfterRun: starting.afterRun,
  });
  return { messages, attempts, schedule, ending, starting };
}
