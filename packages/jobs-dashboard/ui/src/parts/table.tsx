import type { ReactNode } from 'react';
import classes from './table.module.css';

export type Column<Row> = {
  readonly key: string;
  readonly title: ReactNode;
  /** Accessible name of a column without a text title. */
  readonly label?: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'right';
  readonly width?: 'tick' | 'narrow' | 'middle' | 'wide' | 'acts';
  /** Minimum table width in px at which the column is shown. */
  readonly from?: 480 | 640 | 800 | 960;
};

type Props<Row> = {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly isSelected?: (row: Row) => boolean;
  /** True for a table without borders, inside a section. */
  readonly isBare?: boolean;
};

/** Table. A narrow table hides columns. */
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
