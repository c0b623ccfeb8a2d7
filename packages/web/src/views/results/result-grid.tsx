// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are placed one by one, which no table element allows; the roles say the same
// biome-ignore-all lint/a11y/useFocusableInteractive: focus is on cells, as the grid pattern has it

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Dialog } from '../../ui/form/dialog.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import {
  type Cell,
  type GridSort,
  isNumber,
  type ResultColumn,
  type ResultRow,
  sortedOrder,
  textOf,
  toTsv,
} from './cells.ts';
import { ColumnStatisticsPanel } from './column-statistics.tsx';
import classes from './result-grid.module.css';

type Props = {
  readonly label: string;
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly ResultRow[];
  /** Description of the loaded rows, if the result has more: "the first 10,000 rows". */
  readonly part?: string | undefined;
  /** Index in `rows` of the row to focus. */
  readonly focusRow?: number | undefined;
};

type Place = { readonly row: number; readonly column: number };

const rowHeightPx = 28;
const numberColumnPx = 48;
const widthMinPx = 72;
const widthMaxPx = 320;
const characterPx = 7.6;
const measuredRows = 100;
const pageRows = 15;

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
  const scroller = useRef<HTMLDivElement>(null);
  const [sort, setSort] = useState<GridSort | null>(null);
  const [place, setPlace] = useState<Place>({ row: focusRow ?? 0, column: 0 });
  const [shown, setShown] = useState<Place | null>(null);
  const [measured, setMeasured] = useState<number | null>(null);
  const order = useMemo(() => sortedOrder(columns, rows, sort), [columns, rows, sort]);
  const widths = useMemo(() => widthsOf(columns, rows), [columns, rows]);
  const template = `${numberColumnPx}px ${widths.map((width) => `${width}px`).join(' ')}`;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
    initialOffset: (focusRow ?? 0) * rowHeightPx,
  });

  // New rows start at the top of the grid.
  const presentRows = useRef(rows);
  useEffect(() => {
    if (presentRows.current === rows) return;
    presentRows.current = rows;
    setPlace({ row: 0, column: 0 });
    virtualizer.scrollToOffset(0);
  }, [rows, virtualizer]);

  const move = (next: Place) => {
    const row = Math.max(0, Math.min(rows.length - 1, next.row));
    const column = Math.max(0, Math.min(columns.length - 1, next.column));
    setPlace({ row, column });
    virtualizer.scrollToIndex(row);
    requestAnimationFrame(() => cellElement(scroller.current, row, column)?.focus());
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.getAttribute('role') !== 'gridcell') return;
    const isControl = event.ctrlKey || event.metaKey;
    const moves: Readonly<Record<string, Place>> = {
      ArrowDown: { ...place, row: isControl ? rows.length - 1 : place.row + 1 },
      ArrowUp: { ...place, row: isControl ? 0 : place.row - 1 },
      ArrowRight: { ...place, column: place.column + 1 },
      ArrowLeft: { ...place, column: place.column - 1 },
      PageDown: { ...place, row: place.row + pageRows },
      PageUp: { ...place, row: place.row - pageRows },
      Home: isControl ? { row: 0, column: 0 } : { ...place, column: 0 },
      End: { row: isControl ? rows.length - 1 : place.row, column: columns.length - 1 },
    };
    const next = moves[event.key];
    const isCopy = isControl && event.key === 'c' && window.getSelection()?.isCollapsed !== false;
    if (next) move(next);
    else if (event.key === 'Enter') setShown(place);
    else if (isCopy) void navigator.clipboard.writeText(textOf(cellAt(place)));
    else return;
    event.preventDefault();
  };
  const cellAt = ({ row, column }: Place): Cell => rows[order[row] ?? -1]?.[column] ?? null;
  const shownColumn = shown ? columns[shown.column] : undefined;
  const measuredColumn = measured === null ? undefined : columns[measured];

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
        <div
          role="row"
          aria-rowindex={1}
          className={classes['head']}
          style={{ gridTemplateColumns: template }}
        >
          <span role="columnheader" className={classes['corner']}>
            <CopyButton
              value={() =>
                toTsv(
                  columns,
                  order.map((row) => rows[row] ?? []),
                )
              }
              label={`Copy ${part ?? 'all rows'} as TSV`}
            />
          </span>
          {columns.map((column, index) => (
            <HeaderCell
              // biome-ignore lint/suspicious/noArrayIndexKey: a result may hold two columns of one name; places never change
              key={index}
              column={column}
              sort={sort?.column === index ? sort : null}
              onSort={() => setSort(nextSort(sort, index))}
              onMeasure={() => setMeasured(index)}
            />
          ))}
        </div>
        <div role="rowgroup" style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
          {virtualizer.getVirtualItems().map((item) => (
            <div
              key={item.key}
              role="row"
              aria-rowindex={item.index + 2}
              className={classes['row']}
              style={{ transform: `translateY(${item.start}px)`, gridTemplateColumns: template }}
            >
              <span role="rowheader" className={classes['number']}>
                {item.index + 1}
              </span>
              {columns.map((column, index) => (
                <GridCell
                  // biome-ignore lint/suspicious/noArrayIndexKey: a result may hold two columns of one name; places never change
                  key={index}
                  cell={cellAt({ row: item.index, column: index })}
                  isRight={isNumber(column)}
                  at={{ row: item.index, column: index }}
                  isPresent={place.row === item.index && place.column === index}
                  onFocus={setPlace}
                  onOpen={setShown}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      {shown && shownColumn && (
        <Dialog onClose={() => setShown(null)} title={shownColumn.name} size={640}>
          <pre className={classes['whole']}>{cellAt(shown) === null ? 'NULL' : textOf(cellAt(shown))}</pre>
          <CopyButton value={textOf(cellAt(shown))} label="Copy value" isWide />
        </Dialog>
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

const cellElement = (root: HTMLElement | null, row: number, column: number) =>
  root?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);

function nextSort(sort: GridSort | null, column: number): GridSort | null {
  if (sort?.column !== column) return { column, isDescending: false };
  return sort.isDescending ? null : { column, isDescending: true };
}

type HeaderProps = {
  readonly column: ResultColumn;
  readonly sort: GridSort | null;
  readonly onSort: () => void;
  readonly onMeasure: () => void;
};

function HeaderCell({ column, sort, onSort, onMeasure }: HeaderProps) {
  const state = sort === null ? 'none' : sort.isDescending ? 'descending' : 'ascending';
  return (
    <span
      role="columnheader"
      aria-sort={state}
      data-right={isNumber(column)}
      title={column.maskedReason ?? column.databaseType}
    >
      <button type="button" onClick={onSort} className={classes['name']}>
        {column.isMasked && <Icon name="lock" size={12} />}
        <span className="truncate">{column.name}</span>
        {sort && <Icon name={sort.isDescending ? 'down' : 'up'} size={12} />}
      </button>
      <button
        type="button"
        className={classes['measure']}
        aria-label={`Statistics of ${column.name}`}
        onClick={onMeasure}
      >
        <Icon name="sigma" size={12} />
      </button>
    </span>
  );
}

type CellProps = {
  readonly cell: Cell;
  readonly isRight: boolean;
  readonly at: Place;
  readonly isPresent: boolean;
  readonly onFocus: (place: Place) => void;
  readonly onOpen: (place: Place) => void;
};

function GridCell({ cell, isRight, at, isPresent, onFocus, onOpen }: CellProps) {
  return (
    <span
      role="gridcell"
      tabIndex={isPresent ? 0 : -1}
      data-cell={`${at.row}:${at.column}`}
      data-right={isRight}
      data-null={cell === null}
      onFocus={() => onFocus(at)}
      onDoubleClick={() => onOpen(at)}
    >
      {cell === null ? 'NULL' : textOf(cell)}
    </span>
  );
}
