import type { DataSourceMetadata } from '@svc/contract';
import type { Field } from '../../platform/search/index.ts';

/** Members of a table that its search fields need. */
type SearchedTable = Pick<DataSourceMetadata['tables'][number], 'schema' | 'name' | 'comment'> & {
  readonly columns: readonly Pick<
    DataSourceMetadata['tables'][number]['columns'][number],
    'name' | 'comment'
  >[];
};

const ownName = 3;
const columnName = 1;
const comment = 0.5;

/** Returns the field of an item's own name, which has the highest weight. */
export const nameField = (text: string): Field => ({ text, weight: ownName, isName: true });

/** Returns the field of a comment about an item. */
export const commentField = (text: string | null): Field => ({ text: text ?? '', weight: comment });

/** Returns the search fields of a table: its name, its columns and their comments. */
export const tableFields = (table: SearchedTable): Field[] => [
  nameField(table.name),
  commentField(table.comment),
  ...table.columns.flatMap((column) => [
    { text: column.name, weight: columnName, isName: true },
    commentField(column.comment),
  ]),
];
