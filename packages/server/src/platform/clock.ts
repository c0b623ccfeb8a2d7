/** Time and randomness are passed in, so that tests decide about both. */
export type Clock = {
  /** The time of day; for what is shown and stored. */
  readonly now: () => Date;
};

export const systemClock: Clock = { now: () => new Date() };

/**
 * The time for a statement that says `coalesce($n, now())`: null in production, where PostgreSQL's clock decides,
 * and the clock's time when a test passed one in.
 */
export const statementTime = (clock: Clock): Date | null => (clock === systemClock ? null : clock.now());
