const alertRunsMax = 10;

/** What is wrong with how many runs an alert waits for; undefined when nothing is. */
export const alertRunsError = (runs: number): string | undefined =>
  Number.isInteger(runs) && runs >= 1 && runs <= alertRunsMax ? undefined : `From 1 to ${alertRunsMax}.`;
