import type { DataSourceMetadata } from '@svc/contract';

/** Table that completion offers: of the data source, or the result of an earlier step. */
export type KnownTable = {
  readonly schema: string | null;
  readonly name: string;
  readonly columns: readonly KnownColumn[];
};
export type KnownColumn = { readonly name: string; readonly type: string };

/** Converts the metadata of a data source to tables for completion. */
export const knownTables = (tables: readonly DataSourceMetadata['tables'][number][]): readonly KnownTable[] =>
  tables.map((table) => ({
    schema: table.schema === '' ? null : table.schema,
    name: table.name,
    columns: table.columns.map((column) => ({ name: column.name, type: column.databaseType })),
  }));

/** Source that a statement reads, with its alias. */
export type TextSource = {
  readonly alias: string;
  readonly columns: readonly KnownColumn[];
  /** Undefined for a source that the statement defines, such as a subquery. */
  readonly table: KnownTable | undefined;
};

export const unquoted = (name: string): string =>
  name
    .replaceAll(/^["`[]|["`\]]$/g, '')
    .replaceAll('""', '"')
    .replaceAll('``', '`');

export const identifier = '(?:"[^"]+"|`[^`]+`|\\[[^\\]]+\\]|[A-Za-z_][\\w$]*)';
const notAlias =
  '(?:from|on|where|join|left|right|inner|full|cross|natural|group|order|limit|having|union|using|set|values|as)';
// A comma can start a table in the list after `from`. Text after other commas matches no known table.
const fromPattern = new RegExp(
  String.raw`(?:\b(?:from|join|update|into)\s+|,\s*)(${identifier}(?:\s*\.\s*${identifier})?)(?:\s+(?:as\s+)?(?!${notAlias}\b)(${identifier}))?`,
  'gi',
);
const ctePattern = new RegExp(
  String.raw`(?:\bwith(?:\s+recursive)?|,)\s*(${identifier})\s*(?:\(([^)]*)\)\s*)?as\s*(?:not\s+)?(?:materialized\s*)?\(`,
  'gi',
);
const subqueryPattern = /(?:\b(?:from|join)|,)\s*(?:lateral\s*)?\(/gi;
const aliasPattern = new RegExp(String.raw`^\s*(?:as\s+)?(?!${notAlias}\b)(${identifier})`, 'i');
const starPattern = new RegExp(String.raw`^(?:(${identifier})\s*\.\s*)?\*$`);
const lastNamePattern = new RegExp(String.raw`(${identifier})\s*$`);
/** Returns the text from an opening parenthesis to the closing one. */
function bodyAt(text: string, start: number): string {
  let depth = 1;
  let at = start;
  for (; at < text.length && depth > 0; at++) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
  }
  return text.slice(start, at - 1);
}

/** Replaces text inside parentheses and strings by spaces. Positions do not change. */
function outermost(text: string): string {
  let depth = 0;
  return text.replaceAll(/'(?:[^']|'')*'|--[^\n]*|[\s\S]/g, (part) => {
    if (part.length > 1) return ' '.repeat(part.length);
    if (part === ')') depth = Math.max(0, depth - 1);
    const replacement = depth === 0 ? part : ' ';
    if (part === '(') depth += 1;
    return replacement;
  });
}

/** Returns the items between `select` and `from` of the outermost statement. The parser is approximate. */
function selectList(sql: string): readonly string[] {
  const outer = outermost(sql);
  const begin = /\bselect\s+(?:distinct\s+)?/i.exec(outer);
  if (!begin) return [];
  const from = begin.index + begin[0].length;
  const length = outer.slice(from).search(/\bfrom\b|;|\bunion\b|$/i);
  const parts: string[] = [];
  let start = from;
  for (let at = from; at <= from + length; at++) {
    if (at < from + length && outer[at] !== ',') continue;
    parts.push(sql.slice(start, at).trim());
    start = at + 1;
  }
  return parts.filter((part) => part !== '');
}

/** Returns the common table expressions that the text declares. */
export function commonTables(
  text: string,
): readonly { readonly name: string; readonly columns: readonly string[] }[] {
  return [...text.matchAll(ctePattern)].map((match) => ({
    name: unquoted(match[1] ?? ''),
    columns:
      match[2]?.split(',').map((name) => unquoted(name.trim())) ??
      selectList(bodyAt(text, match.index + match[0].length)).flatMap((part) => {
        const [, name] = lastNamePattern.exec(part) ?? [];
        return name === undefined ? [] : [unquoted(name)];
      }),
  }));
}

/** Returns the subqueries in the place of tables, with their aliases. */
function subqueriesOf(text: string, tables: readonly KnownTable[]): TextSource[] {
  return [...text.matchAll(subqueryPattern)].flatMap((match): TextSource[] => {
    const start = match.index + match[0].length;
    const body = bodyAt(text, start);
    const [, alias] = aliasPattern.exec(text.slice(start + body.length + 1)) ?? [];
    if (alias === undefined || !/^\s*(?:select|with)\b/i.test(body)) return [];
    return [{ alias: unquoted(alias), columns: columnsOf(body, tables), table: undefined }];
  });
}

/** Returns the known tables that the text reads, with their aliases. */
export function sourcesOf(text: string, tables: readonly KnownTable[]): readonly TextSource[] {
  const common = commonTables(text);
  const named = [...text.matchAll(fromPattern)].flatMap((match): TextSource[] => {
    const parts = (match[1] ?? '').split('.').map((part) => unquoted(part.trim()));
    const table = parts.at(-1) ?? '';
    const schema = parts.length > 1 ? parts[0] : undefined;
    const alias = match[2] === undefined ? table : unquoted(match[2]);
    const cte = common.find((entry) => entry.name.toLowerCase() === table.toLowerCase());
    if (cte)
      return [{ alias, columns: cte.columns.map((name) => ({ name, type: table })), table: undefined }];
    const namedTable = tables.find(
      (entry) =>
        entry.name.toLowerCase() === table.toLowerCase() &&
        (schema === undefined || entry.schema?.toLowerCase() === schema.toLowerCase()),
    );
    return namedTable ? [{ alias, columns: namedTable.columns, table: namedTable }] : [];
  });
  return [...named, ...subqueriesOf(text, tables)];
}

/**
 * Returns the columns of a statement's result, as far as the text and the known tables determine them. A type is
 * present if a table has the column.
 */
export function columnsOf(sql: string, tables: readonly KnownTable[]): readonly KnownColumn[] {
  const sources = sourcesOf(sql, tables);
  const columns = selectList(sql).flatMap((part): readonly KnownColumn[] => {
    const star = starPattern.exec(part);
    if (star) {
      const owner = star[1] === undefined ? undefined : unquoted(star[1]).toLowerCase();
      return sources
        .filter(({ alias }) => owner === undefined || alias.toLowerCase() === owner)
        .flatMap(({ columns }) => columns);
    }
    const [, last] = lastNamePattern.exec(part) ?? [];
    if (last === undefined) return [];
    const name = unquoted(last);
    const sourceColumn = sources.flatMap(({ columns }) => columns).find((column) => column.name === name);
    return [sourceColumn ?? { name, type: '' }];
  });
  return [...new Map(columns.map((column) => [column.name, column])).values()];
}
