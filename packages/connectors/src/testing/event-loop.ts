const tickMs = 5;

/**
 * Returns the longest time that the event loop was blocked while `work` ran, in milliseconds of processor time of this
 * thread. Other threads and a busy machine do not count.
 */
export async function longestPauseMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let used = process.threadCpuUsage();
  const turn = () => {
    const { user, system } = process.threadCpuUsage(used);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    used = process.threadCpuUsage();
  };
  const turns = setInterval(turn, tickMs);
  try {
    await work();
    turn();
  } finally {
    clearInterval(turns);
  }
  return longestMs;
}
