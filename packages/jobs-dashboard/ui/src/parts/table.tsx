import type { ReactNode } from 'react';
import classes from './table.module.css';

/** A column of a table. */
export type Column<Row> = {
  readonly key: string;
  readonly title: ReactNode;
  /** A name for readers where the title is none. */
  readonly label?: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'right';
  readonly width?: 'tick' | 'narrow' | 'middle' | 'wide' | 'acts';
  /** Shown when the table is at least so wide. */
  readonly from?: 480 | 640 | 800 | 960;
};

type Props<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly isSelected?: (row: Row) => boolean;
  /** Without borders of its own: inside a section. */
  readonly isBare?: boolean;
};

/** A table; columns leave as it gets narrower. */
export function Table<Row>({ label, columns, rows, keyOf, isSelected, isBare = false }: Props<Row>) {
  return (
    <div className={classes['frame']} data-bare={isBare}>
      <table className={classes['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ key, title, label: name, align, width, from }) => (
              <th
                key={key}
                scope="col"
                data-align={align}
                data-width={width}
                data-from={from}
                aria-label={name}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-selected={isSelected?.(row) ?? false}>
              {columns.map(({ key, cell, align, width, from }) => (
                <td key={key} data-align={align} data-width={width} data-from={from}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const rowLinkClass = classes['rowLink'];
