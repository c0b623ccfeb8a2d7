import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/**
 * Creates the process's log: structured, one JSON object per line, UTC. Secrets never reach it, because they are
 * `Secret` values.
 */
export function createLog(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
