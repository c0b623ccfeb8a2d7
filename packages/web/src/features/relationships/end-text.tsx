import type { RelationshipEnd } from '@svc/contract';

/** `schema.table`; the table alone where the engine has no schemas. */
export const tableName = ({ schema, table }: Pick<RelationshipEnd, 'schema' | 'table'>): string =>
  schema === '' ? table : `${schema}.${table}`;

/** One end in a line of text. */
export const endText = (end: RelationshipEnd): string => `${tableName(end)} (${end.columns.join(', ')})`;

/** One end of a relationship: its table, and below it its columns. */
export function EndText({ end }: { readonly end: RelationshipEnd }) {
  return (
    <span title={endText(end)}>
      {tableName(end)} <code className="soft">{end.columns.join(', ')}</code>
    </span>
  );
}
