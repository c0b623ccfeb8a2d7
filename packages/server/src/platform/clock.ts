/** Source of the current time. Injected, so that tests control it. */
export type Clock = {
  /** Wall-clock time, for displayed and stored values. */
  readonly now: () => Date;
};

export const systemClock: Clock = { now: () => new Date() };

/**
 * Returns the value for a statement with `coalesce($n, now())`. Null in production, so that PostgreSQL's clock
 * decides; the injected clock's time in tests.
 */
export const statementTime = (clock: Clock): Date | null => (clock === systemClock ? null : clock.now());
