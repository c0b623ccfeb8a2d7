/** Work that is done one piece at a time, in the order in which it was handed over. */
export type Turns = {
  /** Does the work when all before it has ended, well or not. Settles as the work does. */
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
