import { Select } from '@mantine/core';
import type { FilePreview as Preview } from '@svc/contract';
import classes from './file-preview.module.css';
import { type FileValues, formatOf, givenType, hasTypes } from './file-schema.ts';

type Props = {
  readonly preview: Preview;
  /** JSON Schema of a file. */
  readonly schema: unknown;
  readonly file: FileValues;
  /** A preview is in progress: the types cannot be changed. */
  readonly isPending: boolean;
  /** Null: the type is detected. */
  readonly onType: (column: string, type: string | null) => void;
};

const types = ['VARCHAR', 'BIGINT', 'DECIMAL(18,2)', 'DOUBLE', 'BOOLEAN', 'DATE', 'TIME', 'TIMESTAMP'];

/** Preview of a file: its reading, its columns with their types, and its first rows. */
export function FilePreview({ preview, schema, file, isPending, onType }: Props) {
  const { columns, rows } = preview;
  const canType = hasTypes(schema, formatOf(schema, String(file['path'] ?? '')));
  return (
    <div className="stack-tight">
      <p className="soft" role="status">
        {wayOf(preview)}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: A wide table is scrolled by keyboard too. */}
      <section className={classes['frame']} tabIndex={0} aria-label="First rows">
        <table className={classes['table']}>
          <thead>
            <tr>
              {columns.map(({ name, type, isMasked }) => (
                <th key={name} scope="col">
                  {name}
                  {isMasked && <span className="soft"> masked</span>}
                  {canType ? (
                    <Select
                      aria-label={`Type of ${name}`}
                      size="xs"
                      w={150}
                      clearable={givenType(file, name) !== undefined}
                      data={types.includes(type) ? types : [type, ...types]}
                      value={type}
                      disabled={isPending}
                      onChange={(selected) => onType(name, selected)}
                    />
                  ) : (
                    <div className="soft mono">{type}</div>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: Rows of a file have no other name.
              <tr key={index}>
                {columns.map(({ name }, column) => (
                  <td key={name}>
                    {row[column] === null ? <span className="soft">NULL</span> : textOf(row[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

const delimiterNames: Readonly<{ [delimiter: string]: string }> = { '\t': 'tab', ' ': 'blank' };

/** Returns the set and the detected reading options in one line. */
function wayOf({ reading, columns }: Preview): string {
  const { encoding, delimiter, quote, comment, hasHeader, skippedLines, sheet, table } = reading;
  const parts = [
    encoding,
    delimiter !== null && `delimiter ${delimiterNames[delimiter] ?? delimiter}`,
    quote !== null && `quote ${quote}`,
    comment !== null && `comments begin with ${comment}`,
    hasHeader !== null && (hasHeader ? 'with a header' : 'without a header'),
    skippedLines !== null && skippedLines > 0 && `lines left out at the beginning: ${skippedLines}`,
    sheet !== null && `sheet ${sheet}`,
    table !== null && `table ${table}`,
    `columns: ${columns.length}`,
  ];
  return `Read as ${parts.filter((part) => typeof part === 'string').join(', ')}.`;
}

const textOf = (cell: unknown): string => (typeof cell === 'object' ? JSON.stringify(cell) : String(cell));
