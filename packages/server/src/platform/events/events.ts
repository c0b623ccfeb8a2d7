import { startListener } from '@svc/jobs';
import type pg from 'pg';
import type { Database, Queryable } from '../db/index.ts';
import type { Logger } from '../log/index.ts';
import {
  deleteOldEvents,
  hintChannel,
  insertEvent,
  readableAgeSeconds,
  readEvents,
  type StoredEvent,
} from './store.ts';

/**
 * Events that every process of the service hears, itself included. They are hints for what is on screens and in
 * memories: nothing may depend on one arriving.
 */
export type Events = {
  /** Writes an event in the caller's transaction: it is heard once that commits, and only then. */
  readonly publish: (executor: Queryable, topic: string, payload: unknown) => Promise<void>;
  /** Hears the events of a topic from `listen()` on, each once, in the order in which they were written. */
  readonly subscribe: (topic: string, handler: (payload: unknown) => void | Promise<void>) => void;
  /** Told when this process was away for so long that events were lost. */
  readonly onGap: (handler: () => void) => void;
  /** Begins to hear, if it has not yet: everything that is committed after this resolves. */
  readonly listen: () => Promise<void>;
  /** Begins to remove old events. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
};

export type EventsOptions = {
  /** How often the table is looked at when no hint arrives. Default 2,000 ms. */
  readonly pollIntervalMs?: number;
  /** How often the connection that hears hints must show a sign of life. Default 10,000 ms. */
  readonly heartbeatMs?: number;
};

const pollIntervalMsDefault = 2_000;
/** Hints that come together lead to one look. */
const hintDelayMs = 10;
const sweepIntervalMs = 60_000;
/** Away for longer than this, events may have grown too old to be read. */
const gapMs = (readableAgeSeconds * 1_000) / 2;

/**
 * Events over a table: written with the change that they tell of, hinted at by NOTIFY, and read by every process
 * that listens. The hint only makes it sooner; a poll stands behind it.
 */
export function createEvents(deps: {
  database: Database;
  /** Connection on which hints are heard: a session of its own. */
  connection: pg.ClientConfig;
  log: Logger;
  options?: EventsOptions | undefined;
}): Events {
  const { database, log } = deps;
  const pollIntervalMs = deps.options?.pollIntervalMs ?? pollIntervalMsDefault;
  const handlers = new Map<string, ((payload: unknown) => void | Promise<void>)[]>();
  const gapHandlers: (() => void)[] = [];
  /** Everything of transactions before this one has been handed out. */
  let position: string | undefined;
  /** Ids of those handed out already that are of transactions from `position` on. */
  let seen: ReadonlySet<number> = new Set();
  let readAtMs = 0;
  let reading: Promise<void> | undefined;
  let isHinted = false;
  let isFailing = false;
  let isClosed = false;
  let listener: ReturnType<typeof startListener> | undefined;
  let listening: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sweep: NodeJS.Timeout | undefined;

  const handOut = async (topic: string, payload: unknown): Promise<void> => {
    for (const handler of handlers.get(topic) ?? []) {
      try {
        await handler(payload);
      } catch (error) {
        log.warn({ err: error, topic }, 'an event could not be handled');
      }
    }
  };

  /** Reads on from the position. @returns what has not been handed out before. */
  const takeFresh = async (): Promise<readonly StoredEvent[]> => {
    const { events, oldestRunning } = await readEvents(database, position);
    isFailing = false;
    const before = seen;
    position = oldestRunning;
    readAtMs = performance.now();
    seen = new Set(events.filter(({ txid }) => BigInt(txid) >= BigInt(oldestRunning)).map(({ id }) => id));
    return events.filter(({ id }) => !before.has(id));
  };

  const readOnce = async (): Promise<void> => {
    const isLate = performance.now() - readAtMs > gapMs;
    const fresh = await takeFresh();
    if (isLate) for (const handler of gapHandlers) handler();
    for (const { topic, payload } of fresh) await handOut(topic, payload);
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
        // Said once for each time that the database is away.
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
    position = (await readEvents(database, undefined)).oldestRunning;
    // What is there already is nobody's news.
    await takeFresh();
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
