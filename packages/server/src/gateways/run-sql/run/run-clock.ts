/** Clock for durations. Tests pass their own. */
export type RunClock = { readonly monotonicMs: () => number };

export const systemRunClock: RunClock = { monotonicMs: () => performance.now() };
