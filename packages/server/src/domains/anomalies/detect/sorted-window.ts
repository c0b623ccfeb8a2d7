import { medianOfSorted } from './statistics.ts';

/** Sorted numbers, for the median of a moving window. */
export type SortedWindow = {
  readonly add: (value: number) => void;
  readonly remove: (value: number) => void;
  /** NaN if the window is empty. */
  readonly median: () => number;
};

export function sortedWindow(): SortedWindow {
  const sorted: number[] = [];
  /** Returns the first index whose value is not below the given value. */
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
