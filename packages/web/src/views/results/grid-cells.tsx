// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are placed one by one, which no table element allows; the roles say the same
// biome-ignore-all lint/a11y/useFocusableInteractive: focus is on cells, as the grid pattern has it

import { Icon } from '../../ui/text/icons.tsx';
import { type Cell, type GridSort, isNumber, type ResultColumn, textOf } from './cells.ts';
import type { Place } from './grid-moves.ts';
import classes from './result-grid.module.css';

type HeaderProps = {
  readonly column: ResultColumn;
  readonly sort: GridSort | null;
  readonly onSort: () => void;
  readonly onMeasure: () => void;
};

/** Header of a column: its sort order, and a button for its statistics. */
export function HeaderCell({ column, sort, onSort, onMeasure }: HeaderProps) {
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

/** Cell of the grid. Only the present cell is in the tab order. */
export function GridCell({ cell, isRight, at, isPresent, onFocus, onOpen }: CellProps) {
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
