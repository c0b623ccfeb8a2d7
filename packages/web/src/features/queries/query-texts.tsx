import type { Query } from '@svc/contract';
import { SqlEditor } from '../../views/sql/sql-editor.tsx';
import classes from './query-page.module.css';

const noNames = { tables: [], joins: [], parameters: [] };

/** Statements of a query, read-only. */
export function QueryTexts({ record }: { readonly record: Query }) {
  const texts = [
    ...record.steps.map((step) => ({
      key: `step${step.order}`,
      title:
        record.steps.length > 1 || record.finalQuery !== null
          ? `${step.name ?? `step${step.order}`} on ${step.dataSourceName}`
          : step.dataSourceName,
      engine: step.engine,
      sql: step.sql,
    })),
    ...(record.finalQuery === null
      ? []
      : [{ key: 'final', title: 'Final query', engine: 'DuckDB', sql: record.finalQuery }]),
  ];
  return texts.map((text) => (
    <section key={text.key} className="stack-tight">
      <h2>{text.title}</h2>
      <div className={`panel ${classes['text']}`}>
        <SqlEditor
          label={`SQL of ${text.title}`}
          value={text.sql}
          engine={text.engine}
          names={noNames}
          isReadOnly
        />
      </div>
    </section>
  ));
}
