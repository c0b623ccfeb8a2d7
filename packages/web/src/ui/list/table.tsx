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
  /** Undefined while the rows load. */
  readonly rows: readonly Row[] | undefined;
  /** True if the rows belong to the previous request while the next one loads. */
  readonly isStale?: boolean;
  readonly keyOf: (row: Row) => string | number;
  /** Returns the target of a row. The content of the first column becomes the link. */
  readonly to?: ((row: Row) => string) | undefined;
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string | undefined) => void) | undefined;
  /** Actions of a row, at its end. */
  readonly actions?: ((row: Row) => ReactNode) | undefined;
  /** Width of the actions. Default: a menu button. */
  readonly actionsWidth?: string | undefined;
  readonly skeletonRows?: number;
  /** Enables the selection of rows. */
  readonly selection?: TickedRows<Row> | undefined;
};

export type TickedRows<Row> = Selection<Row> & {
  /** Returns the label of a row's checkbox. */
  readonly nameOf: (row: Row) => string;
};

/** Table of records: rows are links, numbers are right-aligned, actions are at the end. */
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
        <tbody onMouseOver={showCompleteText} onFocus={showCompleteText}>
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

/** Shows the full text of a truncated cell while the pointer or the focus is on it. */
function showCompleteText({ target }: { readonly target: EventTarget }): void {
  const cell = target instanceof Element ? target.closest('td') : null;
  if (cell === null) return;
  // A range measures the full text, independent of the element that truncates it.
  const text = document.createRange();
  text.selectNodeContents(cell);
  const [complete, shown] = [text.getBoundingClientRect(), cell.getBoundingClientRect()];
  const isCut = complete.right > shown.right || complete.bottom > shown.bottom;
  if (isCut) cell.title = cell.textContent;
  else cell.removeAttribute('title');
}

/**
 * Returns the widths as CSS variables, because the table's own width selects one of them. In a narrow table, a limit
 * reserves space for the first column.
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

/**
 * Table cell. The column without a width contains names, which wrap to two or three lines before they are truncated.
 */
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
