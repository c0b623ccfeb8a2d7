import type { Jobs } from '@svc/jobs';
import { createHeartbeat, createHeartbeatJobs, createWatchdog } from '../../domains/missed-runs/index.ts';
import type { TellResponsible } from '../../domains/notices/index.ts';
import { type RepeatedWork, repeatWork } from '../../platform/concurrency/repeated-work.ts';
import type { Database } from '../../platform/db/index.ts';
import { type OwnSessions, openWatchdogSessions } from '../database/own-sessions.ts';
import type { Infrastructure } from '../infrastructure.ts';
import type { Module } from '../module.ts';

/** Infrastructure of this process's watchdogs. It is independent of the job engine that they watch. */
export type Watchdogs = Module & {
  /** Dedicated sessions. */
  readonly database: Database;
  /** Repeats the check of one watchdog on its own timer. */
  readonly repeat: (options: {
    readonly name: string;
    readonly everyMs: number;
    readonly look: (signal: AbortSignal) => Promise<void>;
  }) => RepeatedWork;
};

const lookTimeoutMs = 60_000;

/**
 * Opens the sessions of the watchdogs. Every process watches, including one without its own workers, unless
 * `Svc:Jobs:Workers` is 0. Equal results of several processes are recorded once.
 */
export function openWatchdogs(infra: Infrastructure): Watchdogs {
  const { log, settings } = infra;
  const sessions: OwnSessions = openWatchdogSessions(infra);
  return {
    database: sessions.database,
    repeat: ({ name, everyMs, look }) => {
      const repeated = repeatWork({
        everyMs,
        timeoutMs: lookTimeoutMs,
        work: look,
        onError: (error) => log.warn({ err: error, watchdog: name }, 'a look of a watchdog failed'),
      });
      return {
        ...repeated,
        start: () => {
          if (settings.process.watches) repeated.start();
        },
      };
    },
    close: sessions.close,
  };
}

/** Interval of the check for missed runs. */
const runLookEveryMs = 15_000;

/** Composes the watchdog of runs that do not start, and the heartbeat to an external monitor. */
export function composeRunWatchdog(
  { log, outbound, settings }: Infrastructure,
  deps: {
    readonly jobs: Jobs;
    readonly notices: { readonly tellResponsible: TellResponsible };
    readonly watchdogs: Watchdogs;
  },
) {
  const { jobs, notices, watchdogs } = deps;
  const { check } = createWatchdog({
    database: watchdogs.database,
    log,
    tellResponsible: notices.tellResponsible,
    graceSeconds: settings.subscriptions.missedRunGraceSeconds,
  });
  const watch = watchdogs.repeat({ name: 'missed runs', everyMs: runLookEveryMs, look: check });
  const beat = createHeartbeat({ outbound, log, ...settings.heartbeat });
  return { ...watch, heartbeat: createHeartbeatJobs({ jobs, log, watch, beat }) };
}
