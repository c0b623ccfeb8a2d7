import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { StoredSource } from '../sql/endpoints/endpoint-calls.ts';
import type { CapturedResponse } from './capture.ts';
import type { TelemetrySpan } from './telemetry.ts';

/** An endpoint whose calls are observed. */
export type ObservedEndpoint = {
  readonly method: string;
  /** Without inline constraints: method and template are the identity. */
  readonly routeTemplate: string;
  readonly operation: string | null;
};

/** The trace of a request. */
export type CallTrace = {
  /** Trace id as a uuid: made when it is first asked for, unless it came with the request. */
  readonly traceId: string;
  /** The same, as far as it came with the request or was asked for; otherwise null. */
  readonly givenTraceId: string | null;
};

/** What is told of a request when it begins. */
export type ObservedRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Read when the row is made. */
  readonly trace: CallTrace;
};

/** A request under observation. */
export type Observation = {
  setRequestBody(text: string): void;
  setException(error: unknown): void;
};

const offsetAgeMsMax = 1_000;
let offsetMs = 0;
let offsetDueMs = Number.NEGATIVE_INFINITY;

/** How far the clock of durations is behind the time of day, which it asks for once a second: others may set that. */
function wallOffsetMs(nowMs: number): number {
  if (nowMs >= offsetDueMs) {
    offsetMs = Date.now() - nowMs;
    offsetDueMs = nowMs + offsetAgeMsMax;
  }
  return offsetMs;
}

const peerAddress = Symbol('address of the peer');
type Connection = IncomingMessage['socket'] & { [peerAddress]?: string | undefined };

/** Address of the caller, asked for once a connection: a socket that was closed does not tell it any more. */
function remoteAddressOf(request: IncomingMessage): string | undefined {
  const connection = request.socket as Connection;
  connection[peerAddress] ??= connection.remoteAddress;
  return connection[peerAddress];
}

/** A call from its beginning on; what it came to is read from the response when that has ended. */
export class ObservedCall implements Observation {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly trace: CallTrace;
  readonly source: StoredSource;
  readonly isForced: boolean;
  readonly span: TelemetrySpan | undefined;
  /** The socket's own. */
  readonly remoteAddress: string | undefined;
  /** On the clock of durations. */
  readonly beganMs = performance.now();
  /** When it began, in whole ms since 1970; known when it has ended. */
  startedAtMs = 0;
  durationMs = 0;
  error: { readonly value: unknown; readonly isAfterStart: boolean } | null = null;
  captured: CapturedResponse | null = null;
  requestBody: string | null = null;
  /** How much of the request's body is kept. */
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

  /** Is told that it has ended. */
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
