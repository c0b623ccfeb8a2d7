/** Milliseconds of a day. */
export const dayMs = 86_400_000;

/** A clock that a scenario moves on; it stands still otherwise. */
export function movableClock(start = new Date()) {
  let time = start.getTime();
  return {
    now: () => new Date(time),
    advance: (ms: number) => {
      time += ms;
    },
  };
}
