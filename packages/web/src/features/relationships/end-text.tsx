import type { RelationshipEnd } from '@svc/contract';

/** Returns `schema.table`, or the table alone for engines without schemas. */
export const tableName = ({ schema, table }: Pick<RelationshipEnd, 'schema' | 'table'>): string =>
  schema === '' ? table : `${schema}.${table}`;

/** Returns one end as a line of text. */
export const endText = (end: RelationshipEnd): string => `${tableName(end)} (${end.columns.join(', ')})`;

/** One end of a relationship: its table, with its columns below. */
export function EndText({ end }: { readonly end: RelationshipEnd }) {
  return (
    <span title={endText(end)}>
      {tableName(end)} <code className="soft">{end.columns.join(', ')}</code>
    </span>
  );
}
