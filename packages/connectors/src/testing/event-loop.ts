const tickMs = 5;

/**
 * The longest that this process worked without a turn of its event loop while `work` ran, in milliseconds of its own
 * processor time: what a busy machine gave to others meanwhile is no pause of its making.
 */
export async function longestPauseMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let [turnedAtMs, used] = [performance.now(), process.cpuUsage()];
  const turn = () => {
    const { user, system } = process.cpuUsage(used);
    const wallMs = performance.now() - turnedAtMs;
    longestMs = Math.max(longestMs, Math.min(wallMs, (user + system) / 1_000));
    [turnedAtMs, used] = [performance.now(), process.cpuUsage()];
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
