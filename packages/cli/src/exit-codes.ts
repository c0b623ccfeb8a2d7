/** Exit codes of commands, for scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line is invalid; nothing was done. */
  usage: 2,
  /** The command found differences. */
  differences: 3,
  /** The change waits for an approval. */
  awaitsApproval: 4,
  /** The key is missing, invalid, or lacks the right. */
  notAllowed: 5,
  /** The wait timed out; the work continues. */
  timedOut: 6,
  /** Stopped by Ctrl-C, by the convention of shells. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
