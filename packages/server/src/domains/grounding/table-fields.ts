import type { DataSourceMetadata } from '@svc/contract';
import type { Field } from '../../platform/search/index.ts';

/** What of a table its words are looked for in. */
type SearchedTable = Pick<DataSourceMetadata['tables'][number], 'schema' | 'name' | 'comment'> & {
  readonly columns: readonly Pick<
    DataSourceMetadata['tables'][number]['columns'][number],
    'name' | 'comment'
  >[];
};

const ownName = 3;
const columnName = 1;
const comment = 0.5;

/** The name of a thing itself, which counts most. */
export const nameField = (text: string): Field => ({ text, weight: ownName, isName: true });

/** What people say about a thing. */
export const commentField = (text: string | null): Field => ({ text: text ?? '', weight: comment });

/** A table as the lexical index takes it: its name, its columns, and what is said of both. */
export const tableFields = (table: SearchedTable): Field[] => [
  nameField(table.name),
  commentField(table.comment),
  ...table.columns.flatMap((column) => [
    { text: column.name, weight: columnName, isName: true },
    commentField(column.comment),
  ]),
];
