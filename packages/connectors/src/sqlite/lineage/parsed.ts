import type { SchemaRelation, StatementReads } from '../../embedded/messages.ts';
import type {
  CatalogueRelation,
  ColumnSources,
  LineageCatalogue,
  LineageQuery,
} from '../../lineage/query.ts';
import { resolveLineage } from '../../lineage/resolve.ts';
import { type EngineFacts, lineageQueryOf } from '../../postgresql/lineage/convert.ts';
import { parsePostgresql } from '../../postgresql/parser/parse.ts';
import { fieldsOf, nodeOf, type PgNode } from '../../postgresql/parser/tree.ts';
import { sqliteDialect } from '../../sql/dialects.ts';
import { readSqlTokens } from '../../sql/lexer.ts';
import { sqliteFacts } from './functions.ts';
import { asPostgresql } from './postgresql-text.ts';

const engine: EngineFacts = { facts: sqliteFacts, areMergedFirst: false, areCtesRecursive: true };

/** Parsed SELECT, and the names in its text. */
type Parsed = { readonly query: LineageQuery; readonly names: NamesInTree };
type NamesInTree = { readonly words: ReadonlySet<string>; readonly hasStar: boolean };

/**
 * Computes the sources of each column from the syntax tree of PostgreSQL's parser. Undefined if the parser refuses
 * the text, or its tree names other reads than SQLite's authorizer.
 */
export async function parsedSources(
  sql: string,
  reads: StatementReads,
): Promise<readonly ColumnSources[] | undefined> {
  const statement = await parseSelect(sql);
  if (!statement) return undefined;
  const relations = new Map<string, CatalogueRelation>();
  const texts = [statement.names];
  for (const relation of reads.relations) {
    const view = await viewOf(relation);
    if (view) texts.push(view.names);
    if (relation.viewSql !== null && !view) return undefined;
    const { name, columns } = relation;
    relations.set(name, { name, columns, ...(view && { definition: view.query }) });
  }
  if (!namesReads(texts, reads)) return undefined;
  const catalogue: LineageCatalogue = (path) => relations.get(path.at(-1) ?? '');
  const sources = resolveLineage(statement.query, catalogue);
  if (!isList(sources)) return undefined;
  return sources.every((source) => isRead(source, reads)) ? sources : undefined;
}

const isList = (sources: readonly ColumnSources[] | ColumnSources): sources is readonly ColumnSources[] =>
  Array.isArray(sources);

async function parseSelect(sql: string): Promise<Parsed | undefined> {
  const text = asPostgresql(sql);
  if (text === undefined) return undefined;
  const [only, ...more] = await parsePostgresql(text);
  if (only?.node.kind !== 'SelectStmt' || more.length > 0) return undefined;
  return { query: lineageQueryOf(only.node.fields, engine), names: namesIn(only.node) };
}

/** Returns the SELECT after `CREATE VIEW … AS`. */
async function viewOf({ viewSql }: SchemaRelation): Promise<Parsed | undefined> {
  if (viewSql === null) return undefined;
  const as = readSqlTokens(viewSql, sqliteDialect).find(
    (token) => token.kind === 'word' && viewSql.slice(token.start, token.end).toLowerCase() === 'as',
  );
  return as && parseSelect(viewSql.slice(as.end));
}

/** Returns all names of a tree. A natural join refers to columns that its text does not contain. */
function namesIn(root: PgNode): NamesInTree {
  const words = new Set<string>();
  let hasStar = false;
  const pending: unknown[] = [root.fields];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next === 'string') words.add(next);
    if (Array.isArray(next)) pending.push(...(next as unknown[]));
    const node = nodeOf(next);
    if (node?.kind === 'A_Star' || fieldsOf(next)?.['isNatural'] === true) hasStar = true;
    pending.push(...Object.values(fieldsOf(next) ?? {}).filter((value) => value !== null));
  }
  return { words, hasStar };
}

/** Returns true if one of the texts can name every table and column that the authorizer reports. */
function namesReads(texts: readonly NamesInTree[], { columns }: StatementReads): boolean {
  const isWord = (name: string): boolean => texts.some(({ words }) => words.has(name));
  const hasStar = texts.some((text) => text.hasStar);
  return columns.every(
    ({ table, column }) =>
      isWord(table) && (column === '' || isWord(column) || (hasStar && !isRowNumber(column))),
  );
}

/** Returns true for the row number, to which a star does not expand. */
const isRowNumber = (column: string): boolean => ['rowid', 'oid', '_rowid_'].includes(column);

/** Returns true if the authorizer reports each source, or the source is a column of a view or a word of the text. */
function isRead({ names }: ColumnSources, reads: StatementReads): boolean {
  const isView = new Set(reads.relations.flatMap(({ name, viewSql }) => (viewSql === null ? [] : [name])));
  return names.every(
    ({ relation, column }) =>
      relation === null ||
      isView.has(relation) ||
      reads.columns.some((read) => read.table === relation && read.column === column),
  );
}
