import type { Caller } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import { type Batcher, createBatcher } from '../../platform/concurrency/batcher.ts';
import { databaseError, type Queryable } from '../../platform/db/index.ts';
import { type AuditRow, insertEvents } from './store.ts';

/** Author of an event. The context of a request handler is assignable. */
export type Actor = {
  readonly caller: Caller | null;
  readonly clientAddress?: string | null;
  readonly traceId?: string | null;
  /** Names the folder whose files are being applied. Set only while they are applied. */
  readonly manager?: string;
};

/** Author with a caller, passed from handlers to services. */
export type CallerActor = Actor & { readonly caller: Caller };

/** The service itself: jobs, start-up, upkeep. */
export const systemActor: Actor = { caller: null };

/** A security event. `detail` never contains a secret. */
export type AuditEvent = {
  /** `<family>.<what happened>`, e.g. `keys.api_key_created`. */
  readonly event: `${string}.${string}`;
  readonly by: Actor;
  readonly subject?: { readonly kind: string; readonly id: number };
  readonly projectId?: number;
  readonly detail?: Readonly<Record<string, unknown>>;
};

export type Audit = {
  /** Writes an event in the transaction of the recorded change. */
  readonly record: (executor: Queryable, event: AuditEvent) => Promise<void>;
  /**
   * Writes an event outside of a transaction. Simultaneous events share a statement. The promise resolves after the commit,
   * and an invalid event fails without affecting the others.
   */
  readonly recordAlone: (database: Queryable, event: AuditEvent) => Promise<void>;
};

const actorKinds: Readonly<Record<Caller['kind'], string>> = {
  anonymous: 'anonymous',
  session: 'user',
  host: 'user',
  bearer: 'user',
  apiKey: 'api_key',
  mcpCaller: 'mcp_caller',
  system: 'system',
  aiActor: 'ai_actor',
};

const textLengthMax = 500;
/** Maximum number of such events per statement. */
const aloneMax = 100;
/** Maximum wait for the previous statement. Waiting lets a statement include more events. */
const alonePatienceMs = 25;
/**
 * Replaces control characters: they include terminal escapes and line breaks, with which one entry could look like
 * several. Repairs lone surrogates, from the input or from the cut, which the database rejects.
 */
const withoutControls = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
    .slice(0, textLengthMax)
    .toWellFormed();

function clean(value: unknown): unknown {
  if (typeof value === 'string') return withoutControls(value);
  if (Array.isArray(value)) return value.map(clean);
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [withoutControls(name), clean(member)]),
  );
}

/** Creates the only writer of security events. */
export function createAudit(clock: Clock): Audit {
  const rowOf = (event: AuditEvent): AuditRow => toRow(event, statementTime(clock));
  const writers = new WeakMap<Queryable, Batcher<AuditRow, Failure>>();
  const writerOf = (database: Queryable): Batcher<AuditRow, Failure> => {
    const existingWriter = writers.get(database);
    if (existingWriter) return existingWriter;
    const writer = createBatcher((rows: readonly AuditRow[]) => insertEach(database, rows), {
      sizeMax: aloneMax,
      callsMax: 2,
      patienceMs: alonePatienceMs,
    });
    writers.set(database, writer);
    return writer;
  };
  return {
    record: (executor, event) => insertEvents(executor, [rowOf(event)]),
    recordAlone: async (database, event) => {
      const failure = await writerOf(database).put(rowOf(event));
      if (failure) throw failure.error;
    },
  };
}

type Failure = { readonly error: unknown } | undefined;

/**
 * Writes events in one statement. If the database rejects it, each event is written separately, so that an invalid event
 * does not affect the others. Any other error fails all events.
 */
async function insertEach(database: Queryable, rows: readonly AuditRow[]): Promise<Failure[]> {
  try {
    await insertEvents(database, rows);
    return rows.map(() => undefined);
  } catch (error) {
    if (rows.length === 1 || !databaseError(error)) throw error;
    const written = await Promise.allSettled(rows.map((row) => insertEvents(database, [row])));
    return written.map((one) => (one.status === 'rejected' ? { error: one.reason as unknown } : undefined));
  }
}

export const toRow = ({ event, by, subject, projectId, detail }: AuditEvent, at: Date | null): AuditRow => ({
  event,
  occurredAt: at,
  actorKind: by.caller === null ? 'system' : actorKinds[by.caller.kind],
  actorUserId: by.caller?.userId ?? null,
  apiKeyId: by.caller?.apiKeyId ?? null,
  clientAddress: by.clientAddress ?? null,
  subjectKind: subject?.kind ?? null,
  subjectId: subject?.id ?? null,
  projectId: projectId ?? null,
  traceId: by.traceId ?? null,
  detail: clean({
    ...(by.caller?.hostUserId !== undefined && { hostUserId: by.caller.hostUserId }),
    ...(by.caller?.aiActorId !== undefined && { aiActorId: by.caller.aiActorId }),
    ...detail,
  }),
});
