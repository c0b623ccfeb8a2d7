import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** The request in whose course a job was enqueued, as its job keeps it. */
export type RequestOrigin = {
  readonly method: string;
  /** The route as it was declared, such as `/orders/{id}`: no id, no query. */
  readonly route: string;
  /** Who made the request; null for nobody that has a name. */
  readonly userName: string | null;
};

/** What jobs that are enqueued in the course of a request or of another job inherit. */
export type JobContext = {
  /** Trace id as a uuid. */
  readonly traceId: string;
  /** The running job; absent in a request. */
  readonly jobId?: string;
  /** Metadata of the running job, inherited by what it enqueues. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  /**
   * For a request that the library does not serve and so does not record: its jobs, and what these enqueue, keep it in
   * their metadata.
   */
  readonly origin?: RequestOrigin;
  /** The span in whose course this is, 16 hexadecimal digits: jobs that are enqueued here keep it in their metadata. */
  readonly spanId?: string;
};

/** Member of a job's metadata that holds the request in which its trace began. */
const originMember = 'requestOrigin';
/** Member of a job's metadata that holds the span in whose course it was enqueued. */
const spanMember = 'parentSpanId';

/** Metadata of what is enqueued now: as it was given, else the running job's, with the request it comes from. */
export function metadataHere(
  given: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const context = currentJobContext();
  const own = given ?? context?.metadata ?? undefined;
  const origin = context?.origin ?? context?.metadata?.[originMember];
  const spanId = context?.spanId;
  if (origin === undefined && spanId === undefined) return own;
  return {
    ...own,
    ...(origin !== undefined && { [originMember]: origin }),
    ...(spanId !== undefined && { [spanMember]: spanId }),
  };
}

/** The span in whose course a job was enqueued, 16 hexadecimal digits; null where none was recorded. */
export function parentSpanIn(metadata: Readonly<Record<string, unknown>> | null): string | null {
  const spanId = metadata?.[spanMember];
  return typeof spanId === 'string' && /^(?!0{16})[0-9a-f]{16}$/.test(spanId) ? spanId : null;
}

/** The request that a job's metadata names; null when there is none, or it is not of that shape. */
export function originIn(metadata: Readonly<Record<string, unknown>> | null): RequestOrigin | null {
  const origin = metadata?.[originMember];
  if (typeof origin !== 'object' || origin === null) return null;
  const { method, route, userName = null } = origin as { [K in keyof RequestOrigin]?: unknown };
  if (typeof method !== 'string' || typeof route !== 'string') return null;
  return { method, route, userName: typeof userName === 'string' ? userName : null };
}

const storage = new AsyncLocalStorage<JobContext>();

/** Runs `work` with these arguments so that every job that is enqueued in its course carries the context's trace id. */
export function runInJobContext<Args extends unknown[], T>(
  context: JobContext,
  work: (...args: Args) => T,
  ...args: Args
): T {
  return storage.run(context, work, ...args);
}

/** The context in which the caller runs; undefined outside requests and jobs. */
export function currentJobContext(): JobContext | undefined {
  return storage.getStore();
}

/** Writes 32 hexadecimal digits as a uuid (8-4-4-4-12). */
export function traceIdFromHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const traceParentPattern =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;
const traceparentLengthMax = 512;

/**
 * The trace id of a request: the 32-digit id of its W3C `traceparent` header written as a uuid, or a new one when
 * there is none or it is malformed.
 */
export function traceIdFromTraceparent(header: string | undefined): string {
  return givenTraceId(header) ?? randomUUID();
}

/** The same; null when there is none or it is malformed. */
export function givenTraceId(header: string | undefined): string | null {
  if (header === undefined || header.length > traceparentLengthMax) return null;
  const hex = traceParentPattern.exec(header)?.[1];
  return hex === undefined ? null : traceIdFromHex(hex);
}
