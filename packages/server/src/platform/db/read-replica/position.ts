/** Lag of a replica, derived from positions of both servers. Times are of one monotonic clock, in milliseconds. */
export type Position = {
  /**
   * Notes a position of the primary. `at` is the time of the query, so that everything committed before it is
   * included.
   */
  readonly noteWritten: (at: number, position: bigint) => void;
  /** Notes the position up to which the replica has replayed. */
  readonly noteReplayed: (position: bigint) => void;
  /** Returns the time before which every commit is on the replica; undefined while unknown. */
  readonly isAsOf: () => number | undefined;
};

/** Maximum number of remembered positions, one per second: more than the allowed lag. */
const samplesMax = 30;

export function createPosition(): Position {
  let samples: readonly { readonly at: number; readonly position: bigint }[] = [];
  let asOf: number | undefined;
  return {
    noteWritten: (at, position) => {
      samples = [...samples.slice(1 - samplesMax), { at, position }];
    },
    noteReplayed: (replayed) => {
      const reached = samples.findLast(({ position }) => position <= replayed);
      if (!reached) return;
      asOf = Math.max(asOf ?? reached.at, reached.at);
      samples = samples.filter(({ at }) => at > reached.at);
    },
    isAsOf: () => asOf,
  };
}

/** Parses a log position as PostgreSQL writes it: `16/B374D848`. */
export function parsePosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
