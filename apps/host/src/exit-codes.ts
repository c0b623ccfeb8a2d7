/** Exit codes of the standalone process's commands, for scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line is invalid; nothing was done. */
  usage: 2,
  /** The command found work to do or a fault. */
  findings: 3,
  /** Only for `migrate --plan`: every process must stop before the new version starts. */
  mustStop: 7,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
