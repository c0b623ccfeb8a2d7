// biome-ignore-all lint/a11y/useSemanticElements: virtual rows are placed one by one, which no table element allows; the roles say the same
// biome-ignore-all lint/a11y/useFocusableInteractive: focus is on cells, as the grid pattern has it

import type { CSSProperties } from 'react';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { type Cell, type GridSort, isNumber, type ResultColumn } from './cells.ts';
import { GridCell, HeaderCell } from './grid-cells.tsx';
import type { Place } from './grid-moves.ts';
import classes from './result-grid.module.css';

type HeaderProps = {
  readonly columns: readonly ResultColumn[];
  /** Widths of the columns, as CSS. */
  readonly template: string;
  readonly sort: GridSort | null;
  readonly copyLabel: string;
  /** Returns all loaded rows as text. */
  readonly toText: () => string;
  readonly onSort: (sort: GridSort | null) => void;
  /** Shows the statistics of a column. */
  readonly onMeasure: (column: number) => void;
};

export function HeaderRow({ columns, template, sort, copyLabel, toText, onSort, onMeasure }: HeaderProps) {
  return (
    <div role="row" aria-rowindex={1} className={classes['head']} style={{ gridTemplateColumns: template }}>
      <span role="columnheader" className={classes['corner']}>
        <CopyButton value={toText} label={copyLabel} />
      </span>
      {columns.map((column, index) => (
        <HeaderCell
          // biome-ignore lint/suspicious/noArrayIndexKey: a result may hold two columns of one name; places never change
          key={index}
          column={column}
          sort={sort?.column === index ? sort : null}
          onSort={() => onSort(nextSort(sort, index))}
          onMeasure={() => onMeasure(index)}
        />
      ))}
    </div>
  );
}

function nextSort(sort: GridSort | null, column: number): GridSort | null {
  if (sort?.column !== column) return { column, isDescending: false };
  return sort.isDescending ? null : { column, isDescending: true };
}

type RowProps = {
  readonly row: number;
  readonly columns: readonly ResultColumn[];
  readonly style: CSSProperties;
  readonly cellAt: (place: Place) => Cell;
  /** Cell in the tab order. */
  readonly place: Place;
  readonly onFocus: (place: Place) => void;
  readonly onOpen: (place: Place) => void;
};

/** Row of the grid, with its number. */
export function GridRow({ row, columns, style, cellAt, place, onFocus, onOpen }: RowProps) {
  return (
    <div role="row" aria-rowindex={row + 2} className={classes['row']} style={style}>
      <span role="rowheader" className={classes['number']}>
        {row + 1}
      </span>
      {columns.map((column, index) => (
        <GridCell
          // biome-ignore lint/suspicious/noArrayIndexKey: a result may hold two columns of one name; places never change
          key={index}
          cell={cellAt({ row, column: index })}
          isRight={isNumber(column)}
          at={{ row, column: index }}
          isPresent={place.row === row && place.column === index}
          onFocus={onFocus}
          onOpen={onOpen}
        />
      ))}
    </div>
  );
}
