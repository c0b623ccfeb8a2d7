/** How late a replica is, from what was seen of both servers. Times are of one monotonic clock, in milliseconds. */
export type Position = {
  /** The primary had written up to here; asked for at this time, so that everything committed before is in it. */
  readonly noteWritten: (at: number, position: bigint) => void;
  /** The replica has replayed up to here. */
  readonly noteReplayed: (position: bigint) => void;
  /** Everything committed before this time is on the replica; undefined as long as nothing is known. */
  readonly isAsOf: () => number | undefined;
};

/** Positions of the primary that are remembered: more than the lag that is allowed, looked at once a second. */
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

/** A position in the log as PostgreSQL writes it: `16/B374D848`. */
export function parsePosition(text: string): bigint {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
