import { medianOfSorted } from './statistics.ts';

/** Numbers in order, for the median of a window that moves over values. */
export type SortedWindow = {
  readonly add: (value: number) => void;
  readonly remove: (value: number) => void;
  /** NaN while it is empty. */
  readonly median: () => number;
};

export function sortedWindow(): SortedWindow {
  const sorted: number[] = [];
  /** The first place whose value is not below a value. */
  const placeOf = (value: number): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return {
    add: (value) => void sorted.splice(placeOf(value), 0, value),
    remove: (value) => void sorted.splice(placeOf(value), 1),
    median: () => medianOfSorted(sorted),
  };
}
