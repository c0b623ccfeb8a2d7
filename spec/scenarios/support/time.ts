export const dayMs = 86_400_000;

/** Returns a clock that moves only when a scenario advances it. */
export function movableClock(start = new Date()) {
  let time = start.getTime();
  return {
    now: () => new Date(time),
    advance: (ms: number) => {
      time += ms;
    },
  };
}
