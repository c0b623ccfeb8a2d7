// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are placed one by one, which no table element allows; the roles say the same
// biome-ignore-all lint/a11y/useFocusableInteractive: focus is on cells, as the grid pattern has it

import { useMemo, useState } from 'react';
import { Dialog } from '../../ui/form/dialog.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { type Cell, type ResultColumn, type ResultRow, textOf } from './cells.ts';
import { ColumnStatisticsPanel } from './column-statistics.tsx';
import { moveOf, type Place } from './grid-moves.ts';
import { GridRow, HeaderRow } from './grid-rows.tsx';
import classes from './result-grid.module.css';
import { useGridPlace } from './use-grid-place.ts';
import { useSortedRows } from './use-sorted-rows.ts';

type Props = {
  readonly label: string;
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly ResultRow[];
  /** Description of the loaded rows, if the result has more: "the first 10,000 rows". */
  readonly part?: string | undefined;
  /** Index in `rows` of the row to focus. */
  readonly focusRow?: number | undefined;
};

const numberColumnPx = 48;
const widthMinPx = 72;
const widthMaxPx = 320;
const characterPx = 7.6;
const measuredRows = 100;

/** Returns column widths that fit the first rows. */
function widthsOf(columns: readonly ResultColumn[], rows: readonly ResultRow[]): readonly number[] {
  return columns.map((column, index) => {
    const longest = rows
      .slice(0, measuredRows)
      .reduce((most, row) => Math.max(most, textOf(row[index]).length), column.name.length + 4);
    return Math.round(Math.min(widthMaxPx, Math.max(widthMinPx, longest * characterPx + 24)));
  });
}

/** Result as a grid: virtual rows, cells reached by arrow keys, sorting, copying, and column statistics. */
export function ResultGrid({ label, columns, rows, part, focusRow }: Props) {
  const { sort, setSort, cellAt, toText } = useSortedRows(columns, rows);
  const [opened, setOpened] = useState<Place | null>(null);
  const [measured, setMeasured] = useState<number | null>(null);
  const widths = useMemo(() => widthsOf(columns, rows), [columns, rows]);
  const { scroller, virtualizer, place, setPlace, move } = useGridPlace(rows, focusRow);
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.getAttribute('role') !== 'gridcell') return;
    const isControl = event.ctrlKey || event.metaKey;
    const next = moveOf(event.key, isControl, place, { rows: rows.length, columns: columns.length });
    const isCopy = isControl && event.key === 'c' && window.getSelection()?.isCollapsed !== false;
    if (next) move(next);
    else if (event.key === 'Enter') setOpened(place);
    else if (isCopy) void navigator.clipboard.writeText(textOf(cellAt(place)));
    else return;
    event.preventDefault();
  };
  const openedColumn = opened ? columns[opened.column] : undefined;
  const measuredColumn = measured === null ? undefined : columns[measured];
  const template = `${numberColumnPx}px ${widths.map((width) => `${width}px`).join(' ')}`;
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        tabIndex={-1}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        className={classes['grid']}
        onKeyDown={onKeyDown}
      >
        <HeaderRow
          columns={columns}
          template={template}
          sort={sort}
          copyLabel={`Copy ${part ?? 'all rows'} as TSV`}
          toText={toText}
          onSort={setSort}
          onMeasure={setMeasured}
        />
        <div role="rowgroup" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map((item) => (
            <GridRow
              key={item.key}
              row={item.index}
              columns={columns}
              style={{ transform: `translateY(${item.start}px)`, gridTemplateColumns: template }}
              cellAt={cellAt}
              place={place}
              onFocus={setPlace}
              onOpen={setOpened}
            />
          ))}
        </div>
      </div>
      {opened && openedColumn && (
        <CellDialog column={openedColumn} cell={cellAt(opened)} onClose={() => setOpened(null)} />
      )}
      {measuredColumn && measured !== null && (
        <ColumnStatisticsPanel
          column={measuredColumn}
          cells={rows.map((row) => row[measured] ?? null)}
          part={part}
          onClose={() => setMeasured(null)}
        />
      )}
    </>
  );
}

type DialogProps = {
  readonly column: ResultColumn;
  readonly cell: Cell;
  readonly onClose: () => void;
};

/** Complete value of a cell. */
const CellDialog = ({ column, cell, onClose }: DialogProps) => (
  <Dialog onClose={onClose} title={column.name} size={640}>
    <pre className={classes['whole']}>{cell === null ? 'NULL' : textOf(cell)}</pre>
    <CopyButton value={textOf(cell)} label="Copy value" isWide />
  </Dialog>
);
