import type { Caller } from '../../platform/access/index.ts';
import { type Clock, statementTime } from '../../platform/clock.ts';
import type { Queryable } from '../../platform/db/index.ts';
import { type AuditRow, insertEvents } from './store.ts';

/** Who did it. A handler's context is one. */
export type Actor = {
  readonly caller: Caller | null;
  readonly clientAddress?: string | null;
  readonly traceId?: string | null;
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
};

const actorKinds: Readonly<Record<Caller['kind'], string>> = {
  anonymous: 'anonymous',
  session: 'user',
  host: 'user',
  bearer: 'user',
  apiKey: 'api_key',
  mcpCaller: 'mcp_caller',
};

const textLengthMax = 500;
/** Control characters, the escape of terminals among them, would let one entry look like several. */
const withoutControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ').slice(0, textLengthMax);

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
  return { record: (executor, event) => insertEvents(executor, [toRow(event, statementTime(clock))]) };
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
    ...detail,
  }),
});
