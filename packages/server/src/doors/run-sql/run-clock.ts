/** The clock that durations are measured with; a test passes its own. */
export type RunClock = { readonly monotonicMs: () => number };

export const systemRunClock: RunClock = { monotonicMs: () => performance.now() };
