/** Table entry of a problem code. */
export type ProblemEntry = {
  /** Status of the HTTP response; null if a tool of the MCP endpoint returns the code inside a 200. */
  readonly status: number | null;
  /** `title` of the problem: its kind in a few words, always the same. */
  readonly title: string;
  /** Meaning, in sentences. */
  readonly means: string;
  /** Next step of the caller, in sentences. */
  readonly next: string;
  /** The response has `Retry-After`, in seconds. */
  readonly tellsRetryAfter?: true;
  /** Fixed `type` of the problem. Default: the code's help entry. */
  readonly type?: string;
  /**
   * Operation ids of endpoints that may answer the code, for the OpenAPI document; the list may be incomplete. Codes
   * that follow from the endpoint's kind (callers, a body, a path with an id) are not listed here.
   */
  readonly operations?: readonly string[];
};

export type ProblemTable = Readonly<Record<string, ProblemEntry>>;
