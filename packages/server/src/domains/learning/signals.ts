import type { SqlDialect } from '@svc/connectors';
import type { Clock } from '../../platform/clock.ts';
import { fingerprint, type KeyRing } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { insertSignals, type SignalRow, storedSchema } from './signal-store.ts';
import { readStatement } from './statements/read-statement.ts';
import { type SchemaNames, schemaNames } from './statements/schema-names.ts';
import { shapeOf } from './statements/shape.ts';

/** A sent statement and its outcome. */
export type Signal = {
  readonly projectId: number;
  readonly dataSourceId: number;
  /** Identifies the caller, so that distinct callers can be counted. Not stored in this form. */
  readonly callerKey: string;
  readonly tool: string;
  /** `Succeeded`, or the code of the refusal. */
  readonly outcome: string;
  readonly statement: string | null;
  readonly answerId?: number;
  /** The project permits the storage of statement texts. */
  readonly keepsStatements: boolean;
};

export type SignalsDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly dialectOf: (engine: string) => SqlDialect;
  readonly log: Pick<Logger, 'warn'>;
};

export type Signals = ReturnType<typeof createSignals>;

type Noted = Signal & { readonly at: Date };

/** Maximum delay before a batch is written. No caller waits for it. */
const waitMs = 500;
/** Upper bound for waiting signals. Further signals are dropped. */
const waitingMax = 2_000;
/** Lifetime of cached schema names. Schemas rarely change, and reading a large one is slow. */
const schemaMs = 60_000;
const schemasMax = 50;

type Schema = { readonly names: SchemaNames; readonly dialect: SqlDialect };

/**
 * Creates the collector that writes signals in batches without delaying callers. A killed process loses its waiting
 * signals, which are only statistics.
 */
export function createSignals({ database, clock, keys, dialectOf, log }: SignalsDeps) {
  let waiting: Noted[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const schemas = new Map<number, { readonly readAt: number; readonly schema: Schema | undefined }>();

  const schemaOf = async (dataSourceId: number): Promise<Schema | undefined> => {
    const now = clock.now().getTime();
    const cached = schemas.get(dataSourceId);
    if (cached && now - cached.readAt < schemaMs) return cached.schema;
    const stored = await storedSchema(database, dataSourceId);
    const schema = stored && { names: schemaNames(stored.tables), dialect: dialectOf(stored.engine) };
    if (schemas.size >= schemasMax) schemas.clear();
    schemas.set(dataSourceId, { readAt: now, schema });
    return schema;
  };

  const rowOf = async ({
    callerKey,
    statement,
    keepsStatements,
    at,
    ...signal
  }: Noted): Promise<SignalRow> => {
    const schema = statement === null ? undefined : await schemaOf(signal.dataSourceId);
    const read =
      schema && statement !== null ? readStatement(statement, schema.dialect, schema.names) : undefined;
    return {
      projectId: signal.projectId,
      dataSourceId: signal.dataSourceId,
      tool: signal.tool,
      outcome: signal.outcome,
      answerId: signal.answerId ?? null,
      callerHash: fingerprint(keys, ['learning', callerKey]),
      tables: read?.tables ?? [],
      columns: read?.columns ?? [],
      joins: read?.joins ?? [],
      unknownNames: keepsStatements ? (read?.unknown ?? []) : [],
      shape: read && keepsStatements && read.tables.length > 0 ? shapeOf(read) : null,
      createdTime: at,
    };
  };

  const write = async (signals: readonly Noted[]): Promise<void> => {
    try {
      const rows: SignalRow[] = [];
      for (const signal of signals) rows.push(await rowOf(signal));
      if (rows.length > 0) await insertSignals(database, rows);
    } catch (error) {
      log.warn({ err: error, count: signals.length }, 'what was asked could not be noted for learning');
    }
  };

  /** Writes the waiting signals. */
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const taken = waiting;
    waiting = [];
    writing = writing.then(() => write(taken));
    return writing;
  };

  return {
    note: (signal: Signal): void => {
      if (waiting.length >= waitingMax) return;
      waiting.push({ ...signal, at: clock.now() });
      timer ??= setTimeout(() => void flush(), waitMs).unref();
    },
    flush,
    close: flush,
  };
}
