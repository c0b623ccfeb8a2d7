/** What a command ends with, for whoever runs it from a script. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line was not understood; nothing was done. */
  usage: 2,
  /** It looked, and found differences. */
  differences: 3,
  /** It goes on once somebody has approved. */
  awaitsApproval: 4,
  /** No key, not a valid one, or one that may not do this. */
  notAllowed: 5,
  /** What was waited for had not ended in time, and goes on. */
  timedOut: 6,
  /** Stopped by Ctrl-C, as shells say it. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
