import type { DataSourceMetadata } from '@svc/contract';
import { createLexicalIndex, type IndexedDocument } from '../../../platform/search/index.ts';
import { commentField, nameField, tableFields } from '../../grounding/index.ts';
import type { FoundDocument } from '../../imported-documents/index.ts';
import type { SavedQuery } from '../../queries/index.ts';
import { tableName } from './describe.ts';

export const kinds = ['table', 'column', 'query', 'document'] as const;

/** A search match in a project. */
export type Hit = {
  readonly kind: (typeof kinds)[number];
  readonly name: string;
  readonly dataSourceId: number | null;
  readonly queryId: number | null;
  readonly documentId: number | null;
  readonly databaseType: string | null;
  readonly isMasked: boolean;
  readonly description: string | null;
};

/** Searched items: tables of each readable data source, saved queries and documents. */
export type Searched = {
  readonly schemas: readonly { readonly dataSourceId: number; readonly tables: readonly Table[] }[];
  readonly queries: readonly Pick<SavedQuery, 'id' | 'name' | 'description'>[];
  readonly documents: readonly FoundDocument[];
  /** Returns true when columns of this name contain personal data. */
  readonly isPersonal: (name: string) => boolean;
};

type Table = Pick<DataSourceMetadata['tables'][number], 'schema' | 'name' | 'comment'> & {
  readonly columns: readonly Pick<
    DataSourceMetadata['tables'][number]['columns'][number],
    'name' | 'comment' | 'databaseType'
  >[];
};

/**
 * Finds items by words. Exact names come first, then the best matches among tables, saved queries and documents, then
 * columns, then documents whose text contains every word.
 *
 * Tables precede columns, because statements are written from tables. Otherwise, a table with ten matching columns
 * could displace the other tables of a join from the first page.
 */
export function findByWords({ schemas, queries, documents, isPersonal }: Searched, words: string): Hit[] {
  const tables = schemas.flatMap(({ dataSourceId, tables }) =>
    tables.map((table) => ({ dataSourceId, table })),
  );
  const wholes = createLexicalIndex<Hit>([
    ...tables.map(({ dataSourceId, table }) => tableDocument(dataSourceId, table)),
    ...queries.map(queryDocument),
    ...documents.map(documentDocument),
  ]);
  const columns = createLexicalIndex<Hit>(
    tables.flatMap(({ dataSourceId, table }) => columnDocuments(dataSourceId, table, isPersonal)),
  );
  const indexed = [...wholes.find(words), ...columns.find(words)].map(({ item }) => item);
  const named = new Set(indexed.map(({ documentId }) => documentId));
  const byText = documents.filter(({ id, hasEveryWord }) => hasEveryWord && !named.has(id));
  const hits = [...indexed, ...byText.map((document) => documentDocument(document).item)];
  const searchedLetters = lettersOf(words);
  const isCalledSo = (hit: Hit) => lettersOf(ownNameOf(hit)) === searchedLetters;
  return [...hits.filter(isCalledSo), ...hits.filter((hit) => !isCalledSo(hit))];
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
const ownNameOf = ({ kind, name }: Hit): string =>
  kind === 'query' || kind === 'document' ? name : name.slice(name.lastIndexOf('.') + 1);

const blank = {
  dataSourceId: null,
  queryId: null,
  documentId: null,
  databaseType: null,
  isMasked: false,
};

const tableDocument = (dataSourceId: number, table: Table): IndexedDocument<Hit> => ({
  item: { ...blank, kind: 'table', name: tableName(table), dataSourceId, description: table.comment },
  fields: tableFields(table),
});

const queryDocument = (query: Searched['queries'][number]): IndexedDocument<Hit> => ({
  item: { ...blank, kind: 'query', name: query.name, queryId: query.id, description: query.description },
  fields: [nameField(query.name), commentField(query.description)],
});

const documentDocument = ({ id, title, path, excerpt }: FoundDocument): IndexedDocument<Hit> => ({
  item: { ...blank, kind: 'document', name: title, documentId: id, description: path },
  fields: [nameField(title), commentField(excerpt)],
});

const columnDocuments = (
  dataSourceId: number,
  table: Table,
  isPersonal: Searched['isPersonal'],
): IndexedDocument<Hit>[] =>
  table.columns.map((column) => ({
    item: {
      ...blank,
      kind: 'column',
      name: `${tableName(table)}.${column.name}`,
      dataSourceId,
      databaseType: column.databaseType,
      isMasked: isPersonal(column.name),
      description: column.comment,
    },
    fields: [nameField(column.name), commentField(column.comment)],
  }));
