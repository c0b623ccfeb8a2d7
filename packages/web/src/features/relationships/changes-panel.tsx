import type { SchemaChange } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../lib/format.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { Time } from '../../ui/text/time.tsx';
import classes from './health-panel.module.css';
import { schemaChanges } from './requests/relationships.ts';

/** Describes a schema change in words. */
function sentenceOf({ kind, schema, table, column, typeBefore, typeAfter }: SchemaChange) {
  const name = <code>{schema === '' ? table : `${schema}.${table}`}</code>;
  switch (kind) {
    case 'TableAdded':
      return <>Table {name} added</>;
    case 'TableRemoved':
      return <>Table {name} removed</>;
    case 'ColumnAdded':
      return (
        <>
          Column <code>{column}</code> ({typeAfter}) added to {name}
        </>
      );
    case 'ColumnRemoved':
      return (
        <>
          Column <code>{column}</code> ({typeBefore}) removed from {name}
        </>
      );
    case 'ColumnRetyped':
      return (
        <>
          Column <code>{column}</code> of {name} changed from {typeBefore} to {typeAfter}
        </>
      );
  }
}

/** Schema changes, newest first. Renders nothing until a refresh has detected a change. */
export function ChangesPanel({ dataSourceId }: { readonly dataSourceId: number }) {
  const { data, error } = useQuery(schemaChanges(dataSourceId));
  if (error) return <ProblemNote error={error} />;
  if (!data || data.totalCount === 0) return null;
  return (
    <section className={classes['panel']} aria-label="Schema changes">
      <details>
        <summary>
          Schema changes <span className="mono soft">{count(data.totalCount)}</span>
        </summary>
        <ul className={classes['changes']}>
          {data.items.map((change) => (
            <li key={change.id}>
              <span>{sentenceOf(change)}</span> <Time at={change.foundAt} isQuiet />
            </li>
          ))}
        </ul>
        {data.totalCount > data.items.length && (
          <p className="soft">And {count(data.totalCount - data.items.length)} older ones.</p>
        )}
      </details>
    </section>
  );
}
