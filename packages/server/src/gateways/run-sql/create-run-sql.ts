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
import { startRun } from './run/run.ts';
import { type RunClock, systemRunClock } from './run/run-clock.ts';
import { createRunSlots, type RunSlotLimits } from './run/run-slots.ts';
import { tracedRun } from './run/traced-run.ts';

export type RunSqlOptions = {
  readonly connectors: Connectors;
  /** Opens connections to data sources through the outbound gateway. */
  readonly dial: Dial;
  readonly limits?: RunSlotLimits;
  /** Keys of fingerprints. Without keys no run may request fingerprints. */
  readonly keys?: KeyRing;
  readonly clock?: RunClock;
  /** Receives one entry per finished run, never with its text, values or rows. */
  readonly log?: Pick<Logger, 'info'>;
  readonly telemetry?: Telemetry | undefined;
};

/** A data source in the form that the gateway needs. */
export type DataSourceTarget = {
  readonly id: string;
  readonly engine: string;
  /** Settings with decrypted secrets, parsed by the form of the engine. */
  readonly connection: unknown;
  /** If set, a login with more than read rights is reported to this function instead of refused. */
  readonly noteLogin?: CallOptions['noteLogin'];
};

/** Outcome of a connection test. */
export type TestedConnection =
  | Extract<ConnectionTest, { isOk: true }>
  | { readonly isOk: false; readonly error: CleanedEngineError };

/**
 * The only access to data sources. Statements are read-only by the engine's own means, limited in time, rows and bytes,
 * and can be cancelled. Refusals are `RunSqlRefusal`s.
 */
export type RunSql = {
  readonly run: (request: RunRequest) => Promise<RunResult>;
  /** Checks one statement with the gates and the engine, without running it. Rejects if the data source is unavailable. */
  readonly dryRun: (request: DryRunRequest) => Promise<DryRunResult>;
  /** Tests a connection, saved or not. An error of the server is an outcome, not a rejection. */
  readonly testConnection: (
    target: Omit<DataSourceTarget, 'id'>,
    options: { readonly signal: AbortSignal; readonly timeoutMs?: number },
  ) => Promise<TestedConnection>;
  /**
   * Describes how each file of a connection is read, saved or not. It counts as a run of its caller. Rejects for the first
   * unreadable file, and for an engine that reads no files.
   */
  readonly describeFiles: (
    target: Omit<DataSourceTarget, 'id'>,
    options: { readonly callerId: string; readonly signal: AbortSignal; readonly timeoutMs: number },
  ) => Promise<readonly FileReading[]>;
  /** Always reads from the data source. The caller caches the result if required. */
  readonly readMetadata: (
    target: DataSourceTarget,
    options: Omit<MetadataOptions, 'dial' | 'timeoutMs'> & { readonly timeoutMs?: number },
  ) => Promise<Metadata>;
};

const testTimeoutMs = 15_000;
const metadataTimeoutMs = 120_000;

/** Creates the gateway. It owns nothing that needs closing; close the connectors. */
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

/** Writes one log entry per run: caller, data sources, outcome and counts. */
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
