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
  /** `type` of the problem where it is fixed elsewhere; otherwise the help page's entry of the code. */
  readonly type?: string;
};

/** Problem codes with what is known of each. */
export type ProblemTable = Readonly<Record<string, ProblemEntry>>;
