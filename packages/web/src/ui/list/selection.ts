import { useState } from 'react';

type Key = string | number;

/** The rows of a list that a person ticked, and how ticks change. Only rows that are on the screen count. */
export type Selection<Row> = {
  readonly rows: readonly Row[];
  readonly has: (row: Row) => boolean;
  readonly toggle: (row: Row) => void;
  /** Ticks every row on the screen; takes the ticks away when all have one. */
  readonly toggleAll: () => void;
  readonly clear: () => void;
  /** Leaves only these ticked. */
  readonly keep: (keys: readonly Key[]) => void;
};

/** Ticks over the rows that are shown. A row that leaves the screen loses its tick: nothing unseen is acted on. */
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
    keep: (kept) => setKeys(new Set(kept)),
  };
}
