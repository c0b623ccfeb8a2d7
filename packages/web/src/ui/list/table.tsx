import { Checkbox } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import { Link } from '../frame/link.tsx';
import { Icon } from '../text/icons.tsx';
import { type Column, nextSort, sortState } from './columns.ts';
import type { Selection } from './selection.ts';
import classes from './table.module.css';

type Props<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are on their way. */
  readonly rows: readonly Row[] | undefined;
  /** The rows are those of the question before, while the answer to the new one is on its way. */
  readonly isStale?: boolean;
  readonly keyOf: (row: Row) => string | number;
  /** Where a row leads; the first column's content becomes the link. */
  readonly to?: ((row: Row) => string) | undefined;
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string | undefined) => void) | undefined;
  /** Acts of a row, at its end. */
  readonly actions?: ((row: Row) => ReactNode) | undefined;
  /** Room for the acts; default that of a menu's button. */
  readonly actionsWidth?: string | undefined;
  readonly skeletonRows?: number;
  /** Rows can be ticked, to act on several at once. */
  readonly selection?: TickedRows<Row> | undefined;
};

export type TickedRows<Row> = Selection<Row> & {
  /** What a row's tick box is called. */
  readonly nameOf: (row: Row) => string;
};

/** A table of records: rows are links, numbers to the right, acts at the end. */
export function Table<Row>(props: Props<Row>) {
  const { columns, rows, actions, selection } = props;
  return (
    <div className={classes['frame']}>
      <table
        className={classes['table']}
        aria-label={props.label}
        aria-busy={rows === undefined || props.isStale === true}
        data-stale={props.isStale || undefined}
      >
        <colgroup>
          {selection && <col className={classes['tickColumn']} />}
          {columns.map((column) => (
            <col key={column.id} data-from={column.from} style={widthsOf(column)} />
          ))}
          {actions && (
            <col
              className={classes['actionsColumn']}
              style={{ '--actions': props.actionsWidth } as CSSProperties}
            />
          )}
        </colgroup>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={classes['tick']}>
                <Checkbox
                  aria-label="Select all rows on this page"
                  checked={selection.rows.length > 0 && selection.rows.length === rows?.length}
                  indeterminate={selection.rows.length > 0 && selection.rows.length !== rows?.length}
                  onChange={selection.toggleAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <Header key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
            ))}
            {actions && (
              <th scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody onMouseOver={tellWhole} onFocus={tellWhole}>
          {rows === undefined ? (
            <SkeletonRows
              columns={columns}
              count={props.skeletonRows ?? 8}
              hasTicks={selection !== undefined}
              hasActions={actions !== undefined}
            />
          ) : (
            rows.map((row) => <Row key={props.keyOf(row)} row={row} {...props} />)
          )}
        </tbody>
      </table>
    </div>
  );
}

/** What is cut off in a cell is told whole while the pointer or the focus is on it. */
function tellWhole({ target }: { readonly target: EventTarget }): void {
  const cell = target instanceof Element ? target.closest('td') : null;
  if (cell === null) return;
  // The text as it would stand without being cut, whichever element inside cuts it.
  const text = document.createRange();
  text.selectNodeContents(cell);
  const [whole, shown] = [text.getBoundingClientRect(), cell.getBoundingClientRect()];
  const isCut = whole.right > shown.right || whole.bottom > shown.bottom;
  if (isCut) cell.title = cell.textContent;
  else cell.removeAttribute('title');
}

/**
 * Widths as variables, since which one holds depends on the table's own width. In a narrow one no column takes so much
 * that the first has no room for words.
 */
const widthsOf = ({ width, narrowWidth }: { width?: string; narrowWidth?: string }) =>
  ({
    '--column': width,
    '--column-middle': width && `min(${width}, 24cqw)`,
    '--column-narrow': narrowWidth ?? (width && `min(${width}, 28cqw)`),
  }) as CSSProperties;

type HeaderProps<Row> = {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string | undefined) => void) | undefined;
};

function Header<Row>({ column, sort, onSort }: HeaderProps<Row>) {
  const name = column.sort;
  const state = onSort ? sortState(sort, name) : undefined;
  return (
    <th scope="col" data-align={column.align} data-from={column.from} aria-sort={state}>
      {onSort && name !== undefined ? (
        <button type="button" className={classes['sort']} onClick={() => onSort(nextSort(sort, name))}>
          {column.label}
          {state !== 'none' && <Icon name={state === 'ascending' ? 'up' : 'down'} size={12} />}
        </button>
      ) : (
        column.label
      )}
    </th>
  );
}

function Row<Row>({ row, columns, to, actions, selection }: Props<Row> & { readonly row: Row }) {
  return (
    <tr data-selected={selection?.has(row) || undefined}>
      {selection && (
        <td className={classes['tick']}>
          <Checkbox
            aria-label={`Select ${selection.nameOf(row)}`}
            checked={selection.has(row)}
            onChange={() => selection.toggle(row)}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <td key={column.id} data-align={column.align} data-from={column.from}>
          {index === 0 && to ? (
            <Link to={to(row)} className={classes['rowLink']} data-row-link>
              <Cell column={column} row={row} />
            </Link>
          ) : (
            <Cell column={column} row={row} />
          )}
        </td>
      ))}
      {actions && <td className={classes['actions']}>{actions(row)}</td>}
    </tr>
  );
}

/** Names stand in the column that takes what is left: on two or three lines before they are cut. */
const Cell = <Row,>({ column, row }: { readonly column: Column<Row>; readonly row: Row }): ReactNode =>
  column.width === undefined ? (
    <span className={classes['lines']}>{column.cell(row)}</span>
  ) : (
    column.cell(row)
  );

type SkeletonProps<Row> = {
  readonly columns: readonly Column<Row>[];
  readonly count: number;
  readonly hasActions: boolean;
  readonly hasTicks: boolean;
};

function SkeletonRows<Row>({ columns, count, hasActions, hasTicks }: SkeletonProps<Row>) {
  return Array.from({ length: count }, (_, index) => `skeleton-${index}`).map((key, row) => (
    <tr key={key}>
      {hasTicks && <td />}
      {columns.map((column, index) => (
        <td key={column.id} data-align={column.align} data-from={column.from}>
          <span
            className={classes['bar']}
            style={{ width: `${index === 0 ? 35 + ((row * 17) % 40) : 48}%` }}
          />
        </td>
      ))}
      {hasActions && <td />}
    </tr>
  ));
}
