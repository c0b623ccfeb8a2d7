import type {
  CallOptions,
  ConnectionTest,
  Connectors,
  Dial,
  FileReading,
  Metadata,
  MetadataOptions,
} from '@svc/connectors';
import type { KeyRing } from '../../platform/crypto/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import type { Telemetry } from '../../platform/telemetry/index.ts';
import { type CleanedEngineError, cleanEngineError } from '../engine-errors/index.ts';
import { type DryRunRequest, type DryRunResult, dryRun } from './dry-run.ts';
import { RunSqlRefusal, toRefusal } from './refusal.ts';
import type { RunRequest, RunResult } from './request.ts';
import { startRun } from './run.ts';
import { type RunClock, systemRunClock } from './run-clock.ts';
import { createRunSlots, type RunSlotLimits } from './run-slots.ts';
import { tracedRun } from './traced-run.ts';

export type RunSqlOptions = {
  readonly connectors: Connectors;
  /** The outbound door's way to data sources. */
  readonly dial: Dial;
  readonly limits?: RunSlotLimits;
  /** Keys under which rows are fingerprinted; without them no run may ask for that. */
  readonly keys?: KeyRing;
  readonly clock?: RunClock;
  /** Told of each run when it has ended: never of its text, its values or its rows. */
  readonly log?: Pick<Logger, 'info'>;
  readonly telemetry?: Telemetry | undefined;
};

/** A data source as the door sees it. */
export type DataSourceTarget = {
  readonly id: string;
  readonly engine: string;
  /** Settings with their secrets, as the engine's form parses them. */
  readonly connection: unknown;
  /** Given: a login that may do more than read is told of instead of refused. */
  readonly noteLogin?: CallOptions['noteLogin'];
};

/** Outcome of a connection test. */
export type TestedConnection =
  | Extract<ConnectionTest, { isOk: true }>
  | { readonly isOk: false; readonly error: CleanedEngineError };

/**
 * The one way to a data source. What goes through it is read-only by the engine's own means, bounded in time, rows
 * and bytes, and can be cancelled. Refusals are `RunSqlRefusal`s.
 */
export type RunSql = {
  readonly run: (request: RunRequest) => Promise<RunResult>;
  /** Asks the gates and the engine about one statement without running it. Rejects when the source is away. */
  readonly dryRun: (request: DryRunRequest) => Promise<DryRunResult>;
  /** Tries a connection that need not be saved. What the server says is an outcome, not an error. */
  readonly testConnection: (
    target: Omit<DataSourceTarget, 'id'>,
    options: { readonly signal: AbortSignal; readonly timeoutMs?: number },
  ) => Promise<TestedConnection>;
  /**
   * Tells how each file of a connection that need not be saved is read. It counts as a run of its caller. Rejects for the
   * first file that cannot be read, and for an engine that reads no files.
   */
  readonly describeFiles: (
    target: Omit<DataSourceTarget, 'id'>,
    options: { readonly callerId: string; readonly signal: AbortSignal; readonly timeoutMs: number },
  ) => Promise<readonly FileReading[]>;
  /** Always reads anew; keeping the answer is the caller's business. */
  readonly readMetadata: (
    target: DataSourceTarget,
    options: Omit<MetadataOptions, 'dial' | 'timeoutMs'> & { readonly timeoutMs?: number },
  ) => Promise<Metadata>;
};

const testTimeoutMs = 15_000;
const metadataTimeoutMs = 120_000;

/** Makes the door. It holds nothing that needs closing; close the connectors. */
export function createRunSql({
  connectors,
  dial,
  limits = {},
  clock = systemRunClock,
  log,
  keys,
  telemetry,
}: RunSqlOptions): RunSql {
  const slots = createRunSlots(limits);
  const run: RunSql['run'] = (request) =>
    tracedRun(
      request,
      () => loggedRun(request, () => startRun({ connectors, dial, keys, slots, clock }, request), log),
      telemetry,
    );
  return {
    run,
    dryRun: (request) => dryRun(connectors, run, request),

    testConnection: async ({ engine, connection, noteLogin }, { signal, timeoutMs = testTimeoutMs }) => {
      try {
        const outcome = await connectors
          .get(engine)
          .testConnection(connection, { dial, signal, timeoutMs, noteLogin });
        return outcome.isOk
          ? outcome
          : { isOk: false, error: cleanEngineError(outcome.error, { engine, sql: null }) };
      } catch (error) {
        throw toRefusal(error, { engine, sql: null });
      }
    },

    describeFiles: async ({ engine, connection }, { callerId, ...options }) => {
      const { describeFiles } = connectors.get(engine);
      if (!describeFiles) throw new TypeError(`${engine} reads no files.`);
      const release = await slots.takeForCaller(callerId, () => options);
      try {
        return await describeFiles(connection, { ...options, dial });
      } catch (error) {
        throw toRefusal(error, { engine, sql: null });
      } finally {
        release();
      }
    },

    readMetadata: async (
      { id, engine, connection, noteLogin },
      { timeoutMs = metadataTimeoutMs, ...options },
    ) => {
      const release = await slots.takeForDataSource(id, () => options);
      try {
        return await connectors
          .get(engine)
          .readMetadata(connection, { ...options, dial, timeoutMs, noteLogin });
      } catch (error) {
        throw toRefusal(error, { engine, sql: null });
      } finally {
        release();
      }
    },
  };
}

/** One line a run: who, which data sources, how it ended, how much it gave. */
async function loggedRun(
  { callerId, steps }: RunRequest,
  start: () => Promise<RunResult>,
  log: RunSqlOptions['log'],
): Promise<RunResult> {
  if (!log) return start();
  const about = { callerId, dataSourceIds: [...new Set(steps.map((step) => step.dataSource.id))] };
  try {
    const result = await start();
    void result.finished.then(({ rowCount, executionTimeMs, maskedColumns, isComplete, error }) => {
      const code = error?.code;
      log.info({ ...about, rowCount, executionTimeMs, maskedColumns, isComplete, code }, 'A run has ended.');
    });
    return result;
  } catch (error) {
    const code = error instanceof RunSqlRefusal ? error.code : 'defect';
    log.info({ ...about, isComplete: false, code }, 'A run was refused.');
    throw error;
  }
}
