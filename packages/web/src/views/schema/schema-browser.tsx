import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { metadata } from '../../requests/data-sources.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Bar } from '../../ui/feedback/skeleton.tsx';
import { Icon } from '../../ui/text/icons.tsx';
import classes from './schema-browser.module.css';

type Props = {
  readonly dataSourceId: number | null;
  /** Inserts a name into the text. */
  readonly onInsert?: (text: string) => void;
};

const shownMax = 300;

/** Tables and columns of a data source. The user can insert their names. */
export function SchemaBrowser({ dataSourceId, onInsert }: Props) {
  const catalog = useQuery({ ...metadata(dataSourceId ?? 0), enabled: dataSourceId !== null });
  const [text, setText] = useState('');
  if (dataSourceId === null)
    return <p className={classes['note']}>Choose a data source to see its tables.</p>;
  if (catalog.isLoadingError) return <ProblemNote error={catalog.error} />;
  if (!catalog.data) return <Bar width="80%" />;
  const search = text.trim().toLowerCase();
  const matching = catalog.data.tables.filter(
    (table) =>
      search === '' ||
      table.name.toLowerCase().includes(search) ||
      table.columns.some((column) => column.name.toLowerCase().includes(search)),
  );
  return (
    <div className={classes['browser']}>
      <input
        type="search"
        aria-label="Find a table or column"
        placeholder="Find a table or column"
        className={classes['find']}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {matching.length === 0 && <p className={classes['note']}>No matching table.</p>}
      <ul>
        {matching.slice(0, shownMax).map((table) => (
          <li key={`${table.schema}.${table.name}`}>
            <details>
              <summary title={table.comment ?? undefined}>
                <Icon name={table.type === 'View' ? 'query' : 'table'} size={14} />
                <span className="truncate">{table.name}</span>
                <span className="soft">{table.schema}</span>
              </summary>
              <ul>
                {table.columns.map((column) => (
                  <li key={column.name} title={column.comment ?? undefined}>
                    {onInsert ? (
                      <button type="button" onClick={() => onInsert(column.name)}>
                        <span className="truncate">{column.name}</span>
                        <span className="soft truncate">{column.databaseType}</span>
                      </button>
                    ) : (
                      <span className={classes['column']}>
                        <span className="truncate">
                          {column.name}
                          {table.primaryKey.includes(column.name) && <Icon name="key" size={12} />}
                        </span>
                        <span className="soft truncate">{column.databaseType}</span>
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
      {matching.length > shownMax && (
        <p className={classes['note']}>{matching.length - shownMax} more: search for them.</p>
      )}
    </div>
  );
}
