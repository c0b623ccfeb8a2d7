import type { SqlDialect } from '@svc/connectors';
import type { Clock } from '../../platform/clock.ts';
import { fingerprint, type KeyRing } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import { insertSignals, type SignalRow, storedSchema } from './signal-store.ts';
import { readStatement } from './statements/read-statement.ts';
import { type SchemaNames, schemaNames } from './statements/schema-names.ts';
import { shapeOf } from './statements/shape.ts';

/** A statement that was sent, and what came of it. */
export type Signal = {
  readonly projectId: number;
  readonly dataSourceId: number;
  /** Names whoever sent it, so that callers are told apart; it is not kept. */
  readonly callerKey: string;
  readonly tool: string;
  /** `Succeeded`, or the code of what refused. */
  readonly outcome: string;
  readonly statement: string | null;
  readonly answerId?: number;
  /** Whether the project keeps texts of calls. */
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

/** Statements wait so long for others, since whoever sent one has its answer already. */
const waitMs = 500;
/** Held at once. More than these come from a flood, of which a part tells as much. */
const waitingMax = 2_000;
/** A schema changes rarely, and reading the names of a large one takes a while. */
const schemaMs = 60_000;
const schemasMax = 50;

type Schema = { readonly names: SchemaNames; readonly dialect: SqlDialect };

/**
 * Takes signals without keeping anybody waiting, and writes them in batches. A process that is killed loses those of
 * its last moment: they are statistics.
 */
export function createSignals({ database, clock, keys, dialectOf, log }: SignalsDeps) {
  let waiting: Noted[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const schemas = new Map<number, { readonly readAt: number; readonly schema: Schema | undefined }>();

  const schemaOf = async (dataSourceId: number): Promise<Schema | undefined> => {
    const now = clock.now().getTime();
    const known = schemas.get(dataSourceId);
    if (known && now - known.readAt < schemaMs) return known.schema;
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
      ...{ projectId: signal.projectId, dataSourceId: signal.dataSourceId },
      ...{ tool: signal.tool, outcome: signal.outcome, answerId: signal.answerId ?? null },
      callerHash: fingerprint(keys, ['learning', callerKey]),
      ...{ tables: read?.tables ?? [], columns: read?.columns ?? [], joins: read?.joins ?? [] },
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

  /** Writes what waits. */
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
