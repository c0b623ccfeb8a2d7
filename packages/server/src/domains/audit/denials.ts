import type { Queryable } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type Actor, toRow } from './service.ts';
import { insertEvents } from './store.ts';

/** A refused request of an authenticated caller. */
export type Denial = {
  readonly by: Actor;
  readonly method: string;
  /** The route's pattern, never the requested path. */
  readonly route: string;
  readonly status: number;
  readonly code: string | undefined;
};

/** Records denials asynchronously: there is no transaction to join, and a flood must not slow down requests. */
export type Denials = {
  readonly note: (denial: Denial) => void;
  readonly close: () => Promise<void>;
};

const intervalMs = 1_000;
/** Maximum number of different denials per interval. Further ones are only counted in the log. */
const waitingMax = 500;

export function createDenials(database: Queryable, log: Logger): Denials {
  let waiting = new Map<string, { denial: Denial; count: number; at: Date }>();
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const entries = [...waiting.values()];
    if (dropped > 0) log.warn({ dropped }, 'more denials than the audit can take were left out of it');
    waiting = new Map();
    dropped = 0;
    if (entries.length === 0) return;
    try {
      await insertEvents(
        database,
        entries.map(({ denial: { by, method, route, status, code }, count, at }) =>
          toRow({ event: 'access.denied', by, detail: { method, route, status, code, count } }, at),
        ),
      );
    } catch (error) {
      log.warn({ err: error, denials: entries.length }, 'denials could not be recorded');
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  };

  return {
    note: (denial) => {
      const { caller } = denial.by;
      log.warn({ method: denial.method, route: denial.route, code: denial.code }, 'a request was denied');
      const key = [caller?.userId, caller?.apiKeyId, denial.method, denial.route, denial.code].join(' ');
      const entry = waiting.get(key);
      if (entry) entry.count += 1;
      else if (waiting.size >= waitingMax) dropped += 1;
      else waiting.set(key, { denial, count: 1, at: new Date() });
      timer ??= setTimeout(() => void flush(), intervalMs).unref();
    },
    close: flush,
  };
}
