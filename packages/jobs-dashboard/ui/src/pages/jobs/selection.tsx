import { useEffect, useState } from 'react';
import type { Column } from '../../parts/table.tsx';
import type { Item } from './job-columns.tsx';

export type Selection = ReturnType<typeof useSelection>;

/** Selected jobs of a list. Another filter clears the selection. */
export function useSelection(items: readonly Item[], filter: unknown) {
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is another selection.
  useEffect(() => select(new Set()), [filter]);
  return {
    ids: selected,
    clear: () => select(new Set()),
    setAll: (isOn: boolean) => select(new Set(isOn ? items.map(({ id }) => id) : [])),
    isAll: items.length > 0 && selected.size === items.length,
    set: (id: string, isOn: boolean) => {
      const next = new Set(selected);
      if (isOn) next.add(id);
      else next.delete(id);
      select(next);
    },
  };
}

/** Returns the column with the check boxes of a selection. */
export const selectionColumn = (selection: Selection): Column<Item> => ({
  key: 'tick',
  title: (
    <input
      type="checkbox"
      aria-label="Select all that are shown"
      checked={selection.isAll}
      onChange={(event) => selection.setAll(event.target.checked)}
    />
  ),
  label: 'Selection',
  width: 'tick',
  cell: ({ id, name }) => (
    <input
      type="checkbox"
      aria-label={`Select ${name}`}
      checked={selection.ids.has(id)}
      onChange={(event) => selection.set(id, event.target.checked)}
    />
  ),
});
