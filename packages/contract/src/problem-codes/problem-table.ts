/** What is known of a problem code. */
export type ProblemEntry = {
  /** Status of the HTTP answer; null where a tool of the MCP endpoint answers it inside a 200. */
  readonly status: number | null;
  /** `title` of the problem: the kind in a few words, the same every time. */
  readonly title: string;
  /** What it means, in sentences. */
  readonly means: string;
  /** What whoever meets it does next, in sentences. */
  readonly next: string;
  /** It comes with `Retry-After`, in seconds. */
  readonly tellsRetryAfter?: true;
  /** `type` of the problem where it is fixed elsewhere; otherwise the help page's entry of the code. */
  readonly type?: string;
  /**
   * Operation ids of the endpoints that may answer it, for the OpenAPI document, where that is known. What an endpoint
   * may answer by its kind (who may call it, a body, a path with an id) is not named here.
   */
  readonly operations?: readonly string[];
};

/** Problem codes with what is known of each. */
export type ProblemTable = Readonly<Record<string, ProblemEntry>>;
