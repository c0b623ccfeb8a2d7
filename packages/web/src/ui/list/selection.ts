import { useState } from 'react';

type Key = string | number;

/** Selected rows of a list, with functions that change them. Only visible rows count. */
export type Selection<Row> = {
  readonly rows: readonly Row[];
  readonly has: (row: Row) => boolean;
  readonly toggle: (row: Row) => void;
  /** Selects all visible rows, or clears the selection if all are selected. */
  readonly toggleAll: () => void;
  readonly clear: () => void;
  /** Reduces the selection to these rows. */
  readonly keep: (keys: readonly Key[]) => void;
};

/**
 * Manages the selection of the visible rows. A row that is no longer visible is deselected, so that no action affects
 * invisible rows.
 */
export function useSelection<Row>(
  shown: readonly Row[] | undefined,
  keyOf: (row: Row) => Key,
): Selection<Row> {
  const [keys, setKeys] = useState<ReadonlySet<Key>>(new Set());
  const rows = (shown ?? []).filter((row) => keys.has(keyOf(row)));
  if (shown !== undefined && rows.length < keys.size) setKeys(new Set(rows.map(keyOf)));
  return {
    rows,
    has: (row) => keys.has(keyOf(row)),
    toggle: (row) => {
      const next = new Set(keys);
      if (!next.delete(keyOf(row))) next.add(keyOf(row));
      setKeys(next);
    },
    toggleAll: () => setKeys(new Set(rows.length === shown?.length ? [] : shown?.map(keyOf))),
    clear: () => setKeys(new Set()),
    keep: (remaining) => setKeys(new Set(remaining)),
  };
}
