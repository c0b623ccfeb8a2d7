/** Sequential execution of work, in the order of the calls. */
export type Turns = {
  /** Runs the work after all earlier work has settled. Settles with the work. */
  take<T>(work: () => Promise<T>): Promise<T>;
};

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take: (work) => {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
