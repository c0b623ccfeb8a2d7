import { hubEvents } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { KeyRing, Randomness } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Events } from '../../platform/events/index.ts';
import type { Route } from '../../platform/http/index.ts';
import { createHub, type DueTimes, type HubLimits } from '../../platform/hub/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { SessionsService } from '../sessions/index.ts';
import { type UserEvent, userTopic } from './notify.ts';
import { hubRoutes } from './routes.ts';

/** Topic of sessions that a process ended, so that other processes close their connections. */
const sessionTopic = 'session-ended';

export type RealtimeDeps = {
  readonly database: Database;
  readonly events: Events;
  readonly keys: KeyRing;
  readonly random: Randomness;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sessions: Pick<SessionsService, 'dueTimes' | 'onEnded'>;
  /** Interval, in minutes, after which a caller of the host without a session must authenticate again. */
  readonly revalidateMinutes: number;
  /** Returns true if a caller may see a notification. Called before each event about one. */
  readonly canSeeNotification: (caller: Caller, notificationId: number) => Promise<boolean>;
  readonly trustedHosts: ReadonlySet<string>;
  readonly limits?: Partial<HubLimits> | undefined;
};

/** Hub with the events of the product. */
export type Realtime = {
  readonly routes: readonly Route[];
  /** Closes every connection. The clients then reconnect. */
  readonly close: () => Promise<void>;
};

const minuteMs = 60_000;

export function createRealtime(deps: RealtimeDeps): Realtime {
  const { database, events, clock, log, sessions } = deps;

  const dueTimes = async (caller: Caller): Promise<DueTimes> =>
    caller.sessionId === null
      ? { checkAt: new Date(clock.now().getTime() + deps.revalidateMinutes * minuteMs) }
      : sessions.dueTimes(caller.sessionId);
  const hub = createHub({ ...deps, dueTimes, ready: events.listen });

  events.subscribe(userTopic, async (value) => {
    const userEvent = parseUserEvent(value);
    if (!userEvent) return;
    const { notificationId } = userEvent;
    const mayHear =
      notificationId === undefined
        ? undefined
        : (caller: Caller) => deps.canSeeNotification(caller, notificationId);
    for (const address of userEvent.to)
      await hub.send(address, { target: userEvent.event, argument: userEvent.payload }, mayHear);
  });
  events.subscribe(sessionTopic, (value) => {
    const { sessionId } = value as { sessionId?: unknown };
    if (typeof sessionId === 'number') hub.endSession(sessionId);
  });
  events.onGap(() => hub.reconnectAll());
  const forget = sessions.onEnded(({ id }) => {
    hub.endSession(id);
    events
      .publish(database, sessionTopic, { sessionId: id })
      .catch((error: unknown) =>
        log.warn({ err: error, sessionId: id }, 'the end of a session could not be told'),
      );
  });

  return {
    routes: hubRoutes(hub, deps.trustedHosts),
    close: async () => {
      forget();
      await hub.close();
    },
  };
}

/** Parses an event of another process, perhaps of another version. Returns undefined for an unknown event. */
function parseUserEvent(value: unknown): UserEvent | undefined {
  const { to, event, payload, notificationId } = value as Partial<Record<keyof UserEvent, unknown>>;
  if (!Array.isArray(to) || typeof event !== 'string' || !(event in hubEvents)) return undefined;
  return {
    to: to.filter((address) => typeof address === 'string'),
    event: event as UserEvent['event'],
    payload,
    ...(typeof notificationId === 'number' && { notificationId }),
  };
}
