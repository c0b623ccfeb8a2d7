import { errorText, storableText } from '../../errors.ts';
import type { ClaimedJob } from '../../sql/jobs/claim-jobs.ts';
import { type LogLine, type Progress, writeNotes } from '../../sql/jobs/notes.ts';
import type { Sql } from '../../sql/statement.ts';
import type { LogLevel } from '../handler.ts';
import type { JobsLogger } from '../logger.ts';
import { type Loop, startLoop } from '../loop.ts';

const flushIntervalMs = 1_000;
/** Maximum number of log lines in memory. When handlers write faster than the database stores, the oldest lines are lost. */
const linesMax = 10_000;
const messageLengthMax = 8_192;

/** Progress of a running job, as its handler reported it. Reported after it was stored, at most about once a second. */
export type JobProgress = {
  readonly jobId: string;
  readonly name: string;
  /** 0 to 1. */
  readonly share: number;
  readonly text: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** Time of the process's clock. */
  readonly at: Date;
};

/** Log lines and progress of handlers, buffered and stored in batches. */
export type RunNotes = {
  addLine(job: ClaimedJob, level: LogLevel, message: string): void;
  setProgress(job: ClaimedJob, share: number, text: string | null): void;
  /** Stores the buffered notes without delay. */
  flushSoon(): void;
  stop(): Promise<void>;
};

/** Buffers the notes of running handlers and stores them about once a second. */
export function createRunNotes(
  sql: Sql,
  logger: JobsLogger,
  onProgress: ((progress: JobProgress) => void) | null,
): RunNotes {
  let lines: LogLine[] = [];
  let progress = new Map<string, Progress & { readonly job: ClaimedJob }>();

  const announce = ({ job, share, text }: Progress & { readonly job: ClaimedJob }) => {
    try {
      onProgress?.({
        jobId: job.id,
        name: job.name,
        share,
        text,
        metadata: job.metadata,
        at: new Date(),
      });
    } catch (error) {
      logger.error({ jobId: job.id, error: errorText(error) }, 'onProgress threw');
    }
  };

  const flush = async () => {
    if (lines.length === 0 && progress.size === 0) return null;
    const takenLines = lines;
    const takenProgress = progress;
    lines = [];
    progress = new Map();
    try {
      await writeNotes(sql, takenLines, [...takenProgress.values()]);
    } catch (error) {
      lines = [...takenLines, ...lines].slice(-linesMax);
      progress = new Map([...takenProgress, ...progress]);
      throw error;
    }
    for (const item of takenProgress.values()) announce(item);
    return null;
  };
  const loop: Loop = startLoop('store notes of jobs', logger, flush);
  let timer: NodeJS.Timeout | null = null;
  const flushLater = () => {
    timer ??= setTimeout(() => {
      timer = null;
      loop.wake();
    }, flushIntervalMs);
  };

  return {
    addLine: (job, level, message) => {
      if (lines.length >= linesMax) lines.shift();
      const text = storableText(message, messageLengthMax);
      lines.push({ jobId: job.id, attempt: job.attempt, level, message: text, at: Date.now() });
      flushLater();
    },
    setProgress: (job, share, text) => {
      const value = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
      progress.set(job.id, {
        job,
        jobId: job.id,
        fence: job.fence,
        share: value,
        text: text == null ? null : storableText(text, messageLengthMax),
      });
      flushLater();
    },
    flushSoon: () => {
      if (lines.length > 0 || progress.size > 0) loop.wake();
    },
    stop: async () => {
      if (timer) clearTimeout(timer);
      await loop.stop();
      await flush();
    },
  };
}
