/** What a command of the standalone process ends with, for whoever runs it from a script. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line was not understood; nothing was done. */
  usage: 2,
  /** It looked, and something is left to do or is not as it should be. */
  findings: 3,
  /** Only of `migrate --plan`: every process must stop before the new version starts. */
  mustStop: 7,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
