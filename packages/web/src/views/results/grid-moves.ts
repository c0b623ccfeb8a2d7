/** Place of a cell in the grid. Rows are in the order of the sort. */
export type Place = { readonly row: number; readonly column: number };

type Size = { readonly rows: number; readonly columns: number };

const pageRows = 15;

/**
 * Returns the cell to which a key moves the focus; undefined for a key that moves nothing.
 * @param isControl  Ctrl or ⌘ is pressed: the key moves to the end of its direction.
 */
export function moveOf(
  pressed: string,
  isControl: boolean,
  place: Place,
  { rows, columns }: Size,
): Place | undefined {
  const lastRow = rows - 1;
  const moves: Readonly<Record<string, Place>> = {
    ArrowDown: { ...place, row: isControl ? lastRow : place.row + 1 },
    ArrowUp: { ...place, row: isControl ? 0 : place.row - 1 },
    ArrowRight: { ...place, column: place.column + 1 },
    ArrowLeft: { ...place, column: place.column - 1 },
    PageDown: { ...place, row: place.row + pageRows },
    PageUp: { ...place, row: place.row - pageRows },
    Home: isControl ? { row: 0, column: 0 } : { ...place, column: 0 },
    End: { row: isControl ? lastRow : place.row, column: columns - 1 },
  };
  const target = moves[pressed];
  return (
    target && {
      row: Math.max(0, Math.min(lastRow, target.row)),
      column: Math.max(0, Math.min(columns - 1, target.column)),
    }
  );
}
