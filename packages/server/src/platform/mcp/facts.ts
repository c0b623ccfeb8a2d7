import type { Caller } from '../access/index.ts';

/** Facts from the gates about the request of a server instance. */
export type McpFacts = {
  readonly caller: Caller;
  readonly clientAddress: string;
  readonly traceId: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Identifies the program of a caller, as far as possible. */
  readonly client: string;
  /** Method of the message; undefined for a batch and for other content. */
  readonly method: unknown;
  /** Set if the call was already executed and failed unexpectedly. Only the error response remains to be sent. */
  readonly failure?: { readonly error: unknown };
  /** Result of `Serving.readEarly` for this caller. */
  readonly early?: Promise<unknown> | undefined;
};
