import type { Socket } from 'node:net';
import type { RequestInit, Response } from 'undici';
import type { ConnectDeadlines } from './connector.ts';
import type { DestinationRefusal } from './destination.ts';
import type { DialedTarget, DialTarget } from './dial.ts';
import type { OutboundFailure, OutboundStage } from './failure.ts';
import type { OutboundPolicy } from './policy.ts';
import type { Resolve } from './resolver.ts';

/** The proxy of the system, as read by the configuration from `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. */
export type SystemProxy = {
  readonly httpsProxy?: string;
  readonly httpProxy?: string;
  readonly noProxy?: string;
};

/** Log entry of a failed request. It contains no path, query, header, body or response. */
export type OutboundDetail = {
  readonly policy: string;
  readonly host: string;
  readonly port: number;
  readonly failure: OutboundFailure;
  readonly stage: OutboundStage;
  /** Code and message of the underlying error. */
  readonly errorCode?: string;
  readonly error?: string;
  readonly durationMs: number;
  /** The caller's id of the request's subject. */
  readonly correlationId?: string;
};

/** Options of the outbound gateway. */
export type OutboundOptions = {
  /** Replaces the system's resolver, for tests. */
  readonly resolve?: Resolve;
  /** Additional trusted authorities: PEM texts or paths of PEM files. */
  readonly trustedCertificates?: readonly string[];
  readonly proxy?: SystemProxy;
  readonly deadlines?: Partial<ConnectDeadlines>;
  /** Called for every failure. Results contain only codes. */
  readonly log?: (detail: OutboundDetail) => void;
};

export type OutboundRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly policy: OutboundPolicy;
  readonly signal?: AbortSignal;
  /** Limit for the complete exchange. Default 15,000 ms. */
  readonly totalTimeoutMs?: number;
  /** From writing the request to the first byte of the response. Default: the total. */
  readonly firstByteTimeoutMs?: number;
  /** Maximum bytes that are read of the response. Default 64 KB. */
  readonly answerBytesMax?: number;
  /** Logged with a failure, to correlate the log with the caller's records. */
  readonly correlationId?: string;
  /** True to return the response body. By default it is read up to the limit and discarded. */
  readonly keepAnswer?: boolean;
};

/** Result of a request. Any HTTP status is a response, including redirects, which are never followed. */
export type OutboundResult =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      /** Empty unless `keepAnswer` was set. */
      readonly body: Buffer;
      readonly isBodyComplete: boolean;
      readonly bytesSent: number;
      readonly bytesReceived: number;
      readonly durationMs: number;
    }
  | {
      readonly ok: false;
      readonly failure: OutboundFailure;
      /** False: no part of the request reached the other side. */
      readonly mayHaveArrived: boolean;
      readonly durationMs: number;
    };

/**
 * Result of a check at save time. `isResolved` is false if the name could not be resolved yet, or if a proxy will
 * resolve it.
 */
export type DestinationCheck =
  | { readonly ok: true; readonly url: string; readonly isResolved: boolean }
  | { readonly ok: false; readonly refusal: DestinationRefusal; readonly message: string };

/** A `fetch` under a policy. It throws OutboundError if the policy refuses the request. */
export type OutboundFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The outbound gateway: the only path of connections to user-controlled destinations (SECURITY R2). */
export type Outbound = {
  /** Sends one request. Never throws because of the destination's behaviour. */
  readonly request: (request: OutboundRequest) => Promise<OutboundResult>;
  /** Checks a URL when it is saved. `request` checks it again when it connects. */
  readonly checkDestination: (url: string, policy: OutboundPolicy) => Promise<DestinationCheck>;
  /** Checks the target of a database driver and returns the address to connect to. */
  readonly dial: (target: DialTarget, policy?: OutboundPolicy) => Promise<DialedTarget>;
  /**
   * Checks like `dial` and opens the TCP connection, for drivers that take a socket. Rejects as `dial` does, and
   * with OutboundError if no address accepts.
   */
  readonly dialSocket: (
    target: DialTarget,
    options?: { readonly signal?: AbortSignal; readonly policy?: OutboundPolicy },
  ) => Promise<Socket>;
  /**
   * Returns a `fetch` for client libraries. Redirects are never followed. Responses end at `answerBytesMax`
   * (default 32 MB).
   */
  readonly fetchUnder: (policy: OutboundPolicy, options?: { totalTimeoutMs?: number }) => OutboundFetch;
  /** Closes all connections. */
  readonly close: () => Promise<void>;
};
