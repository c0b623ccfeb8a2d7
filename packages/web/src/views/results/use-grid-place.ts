import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { ResultRow } from './cells.ts';
import type { Place } from './grid-moves.ts';

const rowHeightPx = 28;

/**
 * Manages the scroll position of a grid and its present cell, which is the only one in the tab order.
 * @param focusRow  Row that is shown and present first. Default: the first row.
 */
export function useGridPlace(rows: readonly ResultRow[], focusRow = 0) {
  const scroller = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<Place>({ row: focusRow, column: 0 });
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
    initialOffset: focusRow * rowHeightPx,
  });

  // New rows start at the top of the grid.
  const presentRows = useRef(rows);
  useEffect(() => {
    if (presentRows.current === rows) return;
    presentRows.current = rows;
    setPlace({ row: 0, column: 0 });
    virtualizer.scrollToOffset(0);
  }, [rows, virtualizer]);

  /** Scrolls to a cell, and focuses it after the next render has drawn its row. */
  const move = (next: Place) => {
    setPlace(next);
    virtualizer.scrollToIndex(next.row);
    requestAnimationFrame(() => cellElement(scroller.current, next)?.focus());
  };
  return { scroller, virtualizer, place, setPlace, move };
}

const cellElement = (root: HTMLElement | null, { row, column }: Place) =>
  root?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
