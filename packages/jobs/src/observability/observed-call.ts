import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { StoredSource } from '../sql/endpoints/endpoint-calls.ts';
import type { CapturedResponse } from './capture.ts';
import type { TelemetrySpan } from './telemetry.ts';

/** Observed endpoint. */
export type ObservedEndpoint = {
  readonly method: string;
  /** Template without inline constraints. Method and template identify the endpoint. */
  readonly routeTemplate: string;
  readonly operation: string | null;
};

/** Trace of a request. */
export type CallTrace = {
  /** Trace id as a uuid. Created on first use, unless the request contained one. */
  readonly traceId: string;
  /** Trace id that was in the request or was already created; null otherwise. */
  readonly givenTraceId: string | null;
};

/** Request values at the start of an observation. */
export type ObservedRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Read when the row is created. */
  readonly trace: CallTrace;
};

/** Request under observation. */
export type Observation = {
  setRequestBody(text: string): void;
  setException(error: unknown): void;
};

const offsetAgeMsMax = 1_000;
let offsetMs = 0;
let offsetDueMs = Number.NEGATIVE_INFINITY;

/**
 * Returns the offset from the monotonic clock to the wall clock. It is recomputed once a second, because the wall clock
 * may be changed.
 */
function wallOffsetMs(nowMs: number): number {
  if (nowMs >= offsetDueMs) {
    offsetMs = Date.now() - nowMs;
    offsetDueMs = nowMs + offsetAgeMsMax;
  }
  return offsetMs;
}

const peerAddress = Symbol('address of the peer');
type Connection = IncomingMessage['socket'] & { [peerAddress]?: string | undefined };

/** Returns the caller's address. It is read once per connection, because a closed socket does not report it. */
function remoteAddressOf(request: IncomingMessage): string | undefined {
  const connection = request.socket as Connection;
  connection[peerAddress] ??= connection.remoteAddress;
  return connection[peerAddress];
}

/** Observed call. Its outcome is read from the response when that has ended. */
export class ObservedCall implements Observation {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly trace: CallTrace;
  readonly source: StoredSource;
  readonly isForced: boolean;
  readonly span: TelemetrySpan | undefined;
  /** Address of the socket's peer. */
  readonly remoteAddress: string | undefined;
  /** Start time on the monotonic clock, in ms. */
  readonly beganMs = performance.now();
  /** Start time in whole ms since 1970; set when the call ends. */
  startedAtMs = 0;
  durationMs = 0;
  error: { readonly value: unknown; readonly isAfterStart: boolean } | null = null;
  captured: CapturedResponse | null = null;
  requestBody: string | null = null;
  /** Maximum length of the stored request body, in UTF-16 units. */
  requestBodyUnits = 0;

  constructor(
    { request, response, trace }: ObservedRequest,
    source: StoredSource,
    isForced: boolean,
    span: TelemetrySpan | undefined,
  ) {
    this.request = request;
    this.response = response;
    this.trace = trace;
    this.source = source;
    this.isForced = isForced;
    this.span = span;
    this.remoteAddress = remoteAddressOf(request);
  }

  /** Records the end of the call. */
  end(): void {
    const nowMs = performance.now();
    this.durationMs = nowMs - this.beganMs;
    this.startedAtMs = Math.floor(this.beganMs + wallOffsetMs(nowMs));
  }

  setRequestBody(text: string): void {
    if (this.requestBodyUnits > 0) this.requestBody = text.slice(0, this.requestBodyUnits);
  }

  setException(value: unknown): void {
    this.error ??= { value, isAfterStart: this.response.headersSent };
  }
}
