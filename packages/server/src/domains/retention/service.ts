import type { Retention } from '@svc/contract';
import { addMonths, type Database, type Month, type Tx } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { type Audit, systemActor } from '../audit/index.ts';
import {
  auditTables,
  dropAuditEvents,
  dropRestOfAudit,
  dropRestOfRuns,
  dropRuns,
  keptFrom,
  monthsBefore,
  readKept,
  runTables,
} from './store.ts';

/** Retention periods of `Svc:Retention:*`, in days. */
export type RetentionDays = {
  readonly runs: number;
  readonly audit: number;
  readonly failedJobs: number;
  readonly notices: number;
  readonly evaluations: number;
  readonly samples: number;
  readonly llmContents: number;
};

/** Deletes rows older than `keepDays` days, at most `limit`. Returns the number of deleted rows. */
type DropOld = (keepDays: number, limit: number) => Promise<number>;

export type RetentionDeps = {
  /** Sessions for long statements. */
  readonly database: Database;
  /** Sessions for requests. */
  readonly readDatabase: Database;
  readonly log: Logger;
  readonly audit: Audit;
  readonly days: RetentionDays;
  readonly dropNotices: DropOld;
  readonly dropEvaluations: DropOld;
  /** Deletes failing rows that evaluations stored. */
  readonly dropSamples: DropOld;
  /** Deletes prompts and answers of the language model. */
  readonly dropLlmContents: DropOld;
};

export type RetentionService = ReturnType<typeof createRetentionService>;

const rowsAtOnce = 5_000;
/** SQLSTATE of a lock timeout: a long read uses the table. The next job removes the month. */
const lockNotAvailable = '55P03';

/**
 * Creates the service for the retention of history. Months are created in advance and removed as a whole. A month of
 * runs includes its deliveries, messages and files. Each removal is audited.
 */
export function createRetentionService(deps: RetentionDeps) {
  const { database, days } = deps;

  const recordRemoval = (tx: Tx, detail: Readonly<Record<string, unknown>>): Promise<void> =>
    deps.audit.record(tx, { by: systemActor, event: 'retention.removed', detail });

  /** Drops months one by one, each in its own transaction. */
  const dropEach = async (
    months: readonly Month[],
    drop: (tx: Tx, month: Month) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> => {
    for (const month of months) {
      if (signal.aborted) return;
      await database.transaction((tx) => drop(tx, month));
    }
  };

  const removeRuns = async (signal: AbortSignal): Promise<void> => {
    const firstRetained = await keptFrom(database, days.runs);
    const drop = async (tx: Tx, month: Month) => {
      await recordRemoval(tx, { kind: 'Runs', month, runs: await dropRuns(tx, month) });
    };
    await dropEach(await monthsBefore(database, 'runs', firstRetained), drop, signal);
    await database.transaction(async (tx) => {
      const runs = await dropRestOfRuns(tx, firstRetained);
      if (runs > 0) await recordRemoval(tx, { kind: 'Runs', before: firstRetained, runs });
    });
  };

  const removeAuditEvents = async (signal: AbortSignal): Promise<void> => {
    const firstRetained = await keptFrom(database, days.audit);
    const drop = async (tx: Tx, month: Month) => {
      await dropAuditEvents(tx, month);
      await recordRemoval(tx, { kind: 'AuditEvents', month });
    };
    await dropEach(await monthsBefore(database, 'audit_events', firstRetained), drop, signal);
    await database.transaction(async (tx) => {
      const events = await dropRestOfAudit(tx, firstRetained);
      if (events > 0) await recordRemoval(tx, { kind: 'AuditEvents', before: firstRetained, events });
    });
  };

  /** Deletes rows of tables without months, in batches. */
  const removeRows =
    (kind: 'Notices' | 'Evaluations' | 'Samples' | 'LlmContents', keepDays: number, drop: DropOld) =>
    async (signal: AbortSignal): Promise<void> => {
      let total = 0;
      while (!signal.aborted) {
        const dropped = await drop(keepDays, rowsAtOnce);
        total += dropped;
        if (dropped < rowsAtOnce) break;
      }
      if (total > 0)
        await database.transaction((tx) => recordRemoval(tx, { kind, [kind.toLowerCase()]: total }));
    };
  const removes = [
    removeRuns,
    removeAuditEvents,
    removeRows('Notices', days.notices, deps.dropNotices),
    removeRows('Samples', days.samples, deps.dropSamples),
    removeRows('LlmContents', days.llmContents, deps.dropLlmContents),
    removeRows('Evaluations', days.evaluations, deps.dropEvaluations),
  ];

  return {
    /** Creates future months, before any row for them is written. */
    addMonths: async (): Promise<void> => {
      await addMonths(database, [...runTables, ...auditTables]);
    },

    /** Removes all data that exceeds its retention period. */
    removeOld: async (signal: AbortSignal): Promise<void> => {
      for (const remove of removes)
        await remove(signal).catch((error: unknown) => {
          if ((error as { code?: unknown }).code !== lockNotAvailable) throw error;
          deps.log.info({ err: error }, 'a month is still being read; it is removed at the next turn');
        });
    },

    /** Returns the retention period and the oldest row of each kind. */
    list: async (): Promise<Retention> => {
      const rowsByKind = new Map((await readKept(deps.readDatabase)).map((row) => [row.kind, row]));
      const item = (kind: Retention['kinds'][number]['kind'], keepDays: number, setting: string) => ({
        kind,
        keepDays,
        setting,
        oldestAt: rowsByKind.get(kind)?.oldestAt?.toISOString() ?? null,
        removedAt: rowsByKind.get(kind)?.removedAt?.toISOString() ?? null,
      });
      return {
        kinds: [
          item('Runs', days.runs, 'Svc:Retention:RunsDays'),
          item('AuditEvents', days.audit, 'Svc:Retention:AuditDays'),
          item('Notices', days.notices, 'Svc:Retention:NoticesDays'),
          item('Evaluations', days.evaluations, 'Svc:Retention:EvaluationsDays'),
          item('Samples', days.samples, 'Svc:Retention:SamplesDays'),
          item('FailedJobs', days.failedJobs, 'Svc:Retention:FailedJobsDays'),
          item('LlmContents', days.llmContents, 'Svc:LLM:KeepsContent'),
        ],
      };
    },
  };
}
