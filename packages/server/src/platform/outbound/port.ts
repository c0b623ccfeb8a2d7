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

/** What is logged of a request that failed. It holds no path, query, header, body or answer. */
export type OutboundDetail = {
  readonly policy: string;
  readonly host: string;
  readonly port: number;
  readonly failure: OutboundFailure;
  readonly stage: OutboundStage;
  /** Code and message of what is behind the failure. */
  readonly errorCode?: string;
  readonly error?: string;
  readonly durationMs: number;
  /** The caller's own id of what the request was for. */
  readonly correlationId?: string;
};

/** Options of the door. */
export type OutboundOptions = {
  /** Replaces the system's resolver; for tests. */
  readonly resolve?: Resolve;
  /** Authorities that are trusted beside the process's own: PEM texts or paths of PEM files. */
  readonly trustedCertificates?: readonly string[];
  readonly proxy?: SystemProxy;
  readonly deadlines?: Partial<ConnectDeadlines>;
  /** Told of every failure; results carry codes only. */
  readonly log?: (detail: OutboundDetail) => void;
};

/** One request. */
export type OutboundRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly policy: OutboundPolicy;
  readonly signal?: AbortSignal;
  /** For everything together. Default 15,000 ms. */
  readonly totalTimeoutMs?: number;
  /** From writing the request to the first byte of the answer. Default: the total. */
  readonly firstByteTimeoutMs?: number;
  /** Bytes read of the answer at most. Default 64 KB. */
  readonly answerBytesMax?: number;
  /** Logged with a failure, so that the log can be read beside the caller's records. */
  readonly correlationId?: string;
  /** Whether the answer's body is wanted. By default it is read up to the limit and thrown away. */
  readonly keepAnswer?: boolean;
};

/** What came of a request: any HTTP status is an answer, redirects included, which are never followed. */
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
      /** False: surely nothing reached the other side. */
      readonly mayHaveArrived: boolean;
      readonly durationMs: number;
    };

/** What a check at save time says. `isResolved` is false when the name could not be resolved now, or a proxy will. */
export type DestinationCheck =
  | { readonly ok: true; readonly url: string; readonly isResolved: boolean }
  | { readonly ok: false; readonly refusal: DestinationRefusal; readonly message: string };

/** A `fetch` under a policy. It throws OutboundError for what the policy refuses. */
export type OutboundFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The one door through which connections leave that somebody else can steer (SECURITY R2). */
export type Outbound = {
  /** Sends one request. Never throws for what the destination does. */
  readonly request: (request: OutboundRequest) => Promise<OutboundResult>;
  /** Checks a URL when it is saved; `request` checks again when it connects. */
  readonly checkDestination: (url: string, policy: OutboundPolicy) => Promise<DestinationCheck>;
  /** Checks the target of a database driver and gives the address to connect to. */
  readonly dial: (target: DialTarget, policy?: OutboundPolicy) => Promise<DialedTarget>;
  /**
   * The same, and opens the TCP connection: for drivers that take a socket. Rejects as `dial` does, and with
   * OutboundError when no address accepts.
   */
  readonly dialSocket: (
    target: DialTarget,
    options?: { readonly signal?: AbortSignal; readonly policy?: OutboundPolicy },
  ) => Promise<Socket>;
  /** A `fetch` for client libraries. Redirects are never followed; answers end at `answerBytesMax` (default 32 MB). */
  readonly fetchUnder: (policy: OutboundPolicy, options?: { totalTimeoutMs?: number }) => OutboundFetch;
  /** Drops all connections. */
  readonly close: () => Promise<void>;
};
