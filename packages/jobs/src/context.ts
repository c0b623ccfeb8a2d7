import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** Request during which a job was enqueued, as stored in the job's metadata. */
export type RequestOrigin = {
  readonly method: string;
  /** Declared route, such as `/orders/{id}`: without ids and query. */
  readonly route: string;
  /** User name of the caller; null for a caller without a name. */
  readonly userName: string | null;
};

/** Values that a job inherits when a request or another job enqueues it. */
export type JobContext = {
  /** Trace id as a uuid. */
  readonly traceId: string;
  /** The running job; absent in a request. */
  readonly jobId?: string;
  /** Metadata of the running job. Jobs that it enqueues inherit it. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  /**
   * Origin request, set only for requests that the library does not serve and therefore does not record. Its jobs, and
   * the jobs that these enqueue, store it in their metadata.
   */
  readonly origin?: RequestOrigin;
  /** Current span, 16 hexadecimal digits. Jobs enqueued in this context store it in their metadata. */
  readonly spanId?: string;
};

/** Metadata member that contains the request in which the job's trace began. */
const originMember = 'requestOrigin';
/** Metadata member that contains the span in which the job was enqueued. */
const spanMember = 'parentSpanId';

/** Returns the metadata for a new job: the caller's, or else the running job's, plus the origin request and current span. */
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

/** Returns the span in which a job was enqueued, 16 hexadecimal digits; null when none was recorded. */
export function parentSpanIn(metadata: Readonly<Record<string, unknown>> | null): string | null {
  const spanId = metadata?.[spanMember];
  return typeof spanId === 'string' && /^(?!0{16})[0-9a-f]{16}$/.test(spanId) ? spanId : null;
}

/** Returns the origin request in a job's metadata; null when it is missing or malformed. */
export function originIn(metadata: Readonly<Record<string, unknown>> | null): RequestOrigin | null {
  const origin = metadata?.[originMember];
  if (typeof origin !== 'object' || origin === null) return null;
  const { method, route, userName = null } = origin as { [K in keyof RequestOrigin]?: unknown };
  if (typeof method !== 'string' || typeof route !== 'string') return null;
  return { method, route, userName: typeof userName === 'string' ? userName : null };
}

const storage = new AsyncLocalStorage<JobContext>();

/** Runs `work` in a context. Every job enqueued during the run carries the context's trace id. */
export function runInJobContext<Args extends unknown[], T>(
  context: JobContext,
  work: (...args: Args) => T,
  ...args: Args
): T {
  return storage.run(context, work, ...args);
}

/** Returns the caller's context; undefined outside requests and jobs. */
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
 * Returns the trace id of a request: the 32-digit id of its W3C `traceparent` header as a uuid. A missing or malformed
 * header yields a new id.
 */
export function traceIdFromTraceparent(header: string | undefined): string {
  return givenTraceId(header) ?? randomUUID();
}

/** Returns the trace id of a `traceparent` header as a uuid; null when the header is missing or malformed. */
export function givenTraceId(header: string | undefined): string | null {
  if (header === undefined || header.length > traceparentLengthMax) return null;
  const hex = traceParentPattern.exec(header)?.[1];
  return hex === undefined ? null : traceIdFromHex(hex);
}
