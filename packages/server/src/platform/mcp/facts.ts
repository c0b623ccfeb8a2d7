import type { Caller } from '../access/index.ts';

/** What the gates know of the request that a server instance is made for. */
export type McpFacts = {
  readonly caller: Caller;
  readonly clientAddress: string;
  readonly traceId: string;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Tells one program of a caller from another, as far as that can be told. */
  readonly client: string;
  /** Method of the message; undefined for a batch or something else. */
  readonly method: unknown;
  /** Set when the call was made already and failed unforeseen: what is left is to tell so. */
  readonly failure?: { readonly error: unknown };
  /** What `Serving.readEarly` has begun for this caller. */
  readonly early?: Promise<unknown> | undefined;
};
