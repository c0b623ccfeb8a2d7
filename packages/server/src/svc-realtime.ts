import type pg from 'pg';
import { createNotify, createRealtime, type Notify } from './domains/realtime/index.ts';
import type { HistoryService } from './domains/runs/index.ts';
import type { SessionsService } from './domains/sessions/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Config } from './platform/config/index.ts';
import type { KeyRing, Randomness } from './platform/crypto/index.ts';
import type { Database } from './platform/db/index.ts';
import { createEvents, type EventsOptions } from './platform/events/index.ts';
import type { Route } from './platform/http/index.ts';
import type { HubLimits } from './platform/hub/index.ts';
import type { Logger } from './platform/log/index.ts';

/** Times and bounds of realtime, where they are not the usual ones. */
export type RealtimeOptions = { readonly hub?: Partial<HubLimits>; readonly events?: EventsOptions };

export type RealtimePart = {
  readonly notify: Notify;
  /** The hub's routes; none while realtime is switched off. */
  readonly openHub: (deps: {
    sessions: SessionsService;
    history: Pick<HistoryService, 'isVisible'>;
    trustedHosts: ReadonlySet<string>;
  }) => readonly Route[];
  readonly start: () => void;
  /** Lets go of the clients, which come back elsewhere; before anything that they need is closed. */
  readonly closeHub: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Puts together what tells people of changes as they happen: events between processes, and the hub. */
export function composeRealtime(deps: {
  config: Config;
  connection: pg.ClientConfig;
  database: Database;
  clock: Clock;
  random: Randomness;
  log: Logger;
  keys: KeyRing;
  options: RealtimeOptions | undefined;
}): RealtimePart {
  const { config, database, log } = deps;
  const isEnabled = config['Svc:Realtime:Enabled'];
  const events = createEvents({ database, connection: deps.connection, log, options: deps.options?.events });
  const notify = createNotify({ events, executor: database, log, isEnabled });
  let closeHub = async (): Promise<void> => undefined;
  return {
    notify,
    openHub: ({ sessions, history, trustedHosts }) => {
      if (!isEnabled) return [];
      const realtime = createRealtime({
        ...deps,
        events,
        sessions,
        trustedHosts,
        canSeeNotification: history.isVisible,
        revalidateMinutes: config['Svc:Authentication:Session:RevalidateMinutes'],
        limits: {
          connectionsMax: config['Svc:Realtime:MaxConnections'],
          connectionsPerUserMax: config['Svc:Realtime:MaxConnectionsPerUser'],
          ...deps.options?.hub,
        },
      });
      closeHub = realtime.close;
      return realtime.routes;
    },
    start: () => {
      if (isEnabled) events.start();
    },
    closeHub: () => closeHub(),
    close: async () => {
      await notify.settled();
      await events.close();
    },
  };
}
