import type { Caller } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import { type Batcher, createBatcher } from '../../platform/concurrency/batcher.ts';
import { databaseError, type Queryable } from '../../platform/db/index.ts';
import { type AuditRow, insertEvents } from './store.ts';

/** Who did it. A handler's context is one. */
export type Actor = {
  readonly caller: Caller | null;
  readonly clientAddress?: string | null;
  readonly traceId?: string | null;
  /** Names the folder whose files are being applied; set where they are applied, and nowhere else. */
  readonly manager?: string;
};

/** A person or program that did it: what services of domains are given by handlers. */
export type CallerActor = Actor & { readonly caller: Caller };

/** The service itself: jobs, start-up, upkeep. */
export const systemActor: Actor = { caller: null };

/** A security event. `detail` never holds a secret. */
export type AuditEvent = {
  /** `<family>.<what happened>`, e.g. `keys.api_key_created`. */
  readonly event: `${string}.${string}`;
  readonly by: Actor;
  readonly subject?: { readonly kind: string; readonly id: number };
  readonly projectId?: number;
  readonly detail?: Readonly<Record<string, unknown>>;
};

export type Audit = {
  /** Writes an event in the transaction of what it records. */
  readonly record: (executor: Queryable, event: AuditEvent) => Promise<void>;
  /**
   * Writes an event that belongs to no transaction. Those of one moment share a statement; each is told when it is
   * committed, and one that cannot be written fails alone.
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
/** Events that stand alone, of one statement. */
const aloneMax = 100;
/** One statement after the other, so that each holds more; one that hangs is waited for no longer than this. */
const alonePatienceMs = 25;
/**
 * Control characters, the escape of terminals among them, would let one entry look like several; half a character, sent
 * so or cut here, is nothing that the database takes.
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

/** The one writer of security events. */
export function createAudit(clock: Clock): Audit {
  const rowOf = (event: AuditEvent): AuditRow => toRow(event, statementTime(clock));
  const writers = new WeakMap<Queryable, Batcher<AuditRow, Failure>>();
  const writerOf = (database: Queryable): Batcher<AuditRow, Failure> => {
    const known = writers.get(database);
    if (known) return known;
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
 * Writes events in one statement. When the database refuses it, nothing was written, and each goes by itself, so that
 * one that cannot be written takes no other along. Any other failure is that of all.
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
