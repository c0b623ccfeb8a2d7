import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** The process's log: structured, one JSON object a line, UTC. Secrets never reach it: they are `Secret` values. */
export function createLog(level: string): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}
