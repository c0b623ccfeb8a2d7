/** Options of the standalone process. */
export type StartOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Starts the demo project. Default true; needs the built-in database. */
  readonly withDemo: boolean;
  /** Writes one line of progress or of a URL to open. */
  readonly say: (line: string) => void;
};
