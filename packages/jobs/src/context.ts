import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** What jobs that are enqueued in the course of a request or of another job inherit. */
export type JobContext = {
  /** Trace id as a uuid. */
  readonly traceId: string;
  /** The running job; absent in a request. */
  readonly jobId?: string;
  /** Metadata of the running job, inherited by what it enqueues. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
};

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
