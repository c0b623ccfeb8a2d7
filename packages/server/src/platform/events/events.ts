import { startListener } from '@svc/jobs';
import type pg from 'pg';
import type { Database, Queryable } from '../db/index.ts';
import type { Logger } from '../log/index.ts';
import { createEventCursor } from './cursor.ts';
import { deleteOldEvents, hintChannel, insertEvent } from './store.ts';

/**
 * Events that every process of the service receives, including the sender. They are hints for displayed and cached
 * data. No feature may depend on the arrival of one.
 */
export type Events = {
  /** Writes an event in the caller's transaction. It is delivered only after the commit. */
  readonly publish: (executor: Queryable, topic: string, payload: unknown) => Promise<void>;
  /** Delivers the events of a topic from `listen()` on, each once, in write order. */
  readonly subscribe: (topic: string, handler: (payload: unknown) => void | Promise<void>) => void;
  /** Registers a handler for a gap: a disconnection that was long enough to lose events. */
  readonly onGap: (handler: () => void) => void;
  /** Starts listening if necessary. Every commit after it resolves is delivered. */
  readonly listen: () => Promise<void>;
  /** Starts to remove old events. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
};

export type EventsOptions = {
  /** Polling interval of the table without hints. Default 2,000 ms. */
  readonly pollIntervalMs?: number;
  /** Heartbeat interval of the connection that receives hints. Default 10,000 ms. */
  readonly heartbeatMs?: number;
};

const pollIntervalMsDefault = 2_000;
/** Delay that combines hints into one read. */
const hintDelayMs = 10;
const sweepIntervalMs = 60_000;
/**
 * Creates events over a table. They are written in the transaction of the change, announced by NOTIFY, and read by
 * every listening process. NOTIFY only reduces the delay; polling is the fallback.
 */
export function createEvents(deps: {
  database: Database;
  /** Connection for hints: a dedicated session. */
  connection: pg.ClientConfig;
  log: Logger;
  options?: EventsOptions | undefined;
}): Events {
  const { database, log } = deps;
  const pollIntervalMs = deps.options?.pollIntervalMs ?? pollIntervalMsDefault;
  const handlers = new Map<string, ((payload: unknown) => void | Promise<void>)[]>();
  const gapHandlers: (() => void)[] = [];
  const cursor = createEventCursor(database);
  let reading: Promise<void> | undefined;
  let isHinted = false;
  let isFailing = false;
  let isClosed = false;
  let listener: ReturnType<typeof startListener> | undefined;
  let listening: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sweep: NodeJS.Timeout | undefined;

  const deliver = async (topic: string, payload: unknown): Promise<void> => {
    for (const handler of handlers.get(topic) ?? []) {
      try {
        await handler(payload);
      } catch (error) {
        log.warn({ err: error, topic }, 'an event could not be handled');
      }
    }
  };

  const readOnce = async (): Promise<void> => {
    const { events, hasGap } = await cursor.next();
    isFailing = false;
    if (hasGap) for (const handler of gapHandlers) handler();
    for (const { topic, payload } of events) await deliver(topic, payload);
  };

  const readAll = async (): Promise<void> => {
    do {
      isHinted = false;
      await readOnce();
    } while (isHinted && !isClosed);
  };

  const read = (): void => {
    if (isClosed) return;
    if (reading !== undefined) {
      isHinted = true;
      return;
    }
    clearTimeout(timer);
    reading = readAll()
      .catch((error: unknown) => {
        isHinted = false;
        // Logged once per outage of the database.
        if (!isFailing) log.warn({ err: error }, 'events cannot be read; trying again until they can');
        isFailing = true;
      })
      .finally(() => {
        reading = undefined;
        if (!isClosed) timer = setTimeout(read, isHinted ? hintDelayMs : pollIntervalMs).unref();
      });
  };

  let hintTimer: NodeJS.Timeout | undefined;
  const hint = (): void => {
    hintTimer ??= setTimeout(() => {
      hintTimer = undefined;
      read();
    }, hintDelayMs).unref();
  };

  const beginListening = async (): Promise<void> => {
    await cursor.begin();
    if (isClosed) return;
    listener = startListener({
      connection: deps.connection,
      channel: hintChannel,
      logger: log,
      onHint: hint,
      onConnected: hint,
      ...(deps.options?.heartbeatMs !== undefined && { heartbeatMs: deps.options.heartbeatMs }),
    });
    timer = setTimeout(read, pollIntervalMs).unref();
  };

  return {
    publish: insertEvent,
    subscribe: (topic, handler) => {
      handlers.set(topic, [...(handlers.get(topic) ?? []), handler]);
    },
    onGap: (handler) => void gapHandlers.push(handler),
    listen: () => {
      listening ??= beginListening().catch((error: unknown) => {
        listening = undefined;
        throw error;
      });
      return listening;
    },
    start: () => {
      sweep ??= setInterval(() => {
        deleteOldEvents(database).catch((error: unknown) =>
          log.warn({ err: error }, 'old events could not be removed'),
        );
      }, sweepIntervalMs).unref();
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(hintTimer);
      clearInterval(sweep);
      await listening?.catch(() => undefined);
      await Promise.all([listener?.stop(), reading]);
    },
  };
}
