import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';

/** What completion knows of the data source and of the draft. */
export type SqlNames = {
  readonly tables: readonly {
    readonly schema: string | null;
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly type: string }[];
  }[];
  /** Parameters of the query, offered after `{{`. */
  readonly parameters: readonly string[];
};

type Source = { readonly alias: string; readonly columns: readonly Completion[] };

const plainName = /^[a-z_][a-z0-9_$]*$/;
const quoted = (name: string): string => (plainName.test(name) ? name : `"${name.replaceAll('"', '""')}"`);
const unquoted = (name: string): string => name.replaceAll(/^["`[]|["`\]]$/g, '').replaceAll('""', '"');

const identifier = '(?:"[^"]+"|`[^`]+`|\\[[^\\]]+\\]|[A-Za-z_][\\w$]*)';
const fromPattern = new RegExp(
  String.raw`\b(?:from|join|update|into)\s+(${identifier}(?:\s*\.\s*${identifier})?)(?:\s+(?:as\s+)?(${identifier}))?`,
  'gi',
);
const ctePattern = new RegExp(
  String.raw`(?:\bwith(?:\s+recursive)?|,)\s*(${identifier})\s*(?:\(([^)]*)\)\s*)?as\s*(?:not\s+)?(?:materialized\s*)?\(`,
  'gi',
);
const notAliases = new Set(
  'on where join left right inner full cross natural group order limit having union using set values as'.split(
    ' ',
  ),
);

const columnOption = (name: string, detail: string): Completion => ({
  label: name,
  apply: quoted(name),
  detail,
  type: 'property',
  boost: 2,
});

/** Names between the select and from of a common table expression, as far as a glance tells. */
function selectedNames(body: string): readonly string[] {
  const [, list] = /^\s*select\s+(?:distinct\s+)?([\s\S]*?)\bfrom\b/i.exec(body) ?? [];
  if (list === undefined) return [];
  return list
    .split(/,(?![^(]*\))/)
    .map((part) => new RegExp(String.raw`(${identifier})\s*$`).exec(part.trim())?.[1] ?? '')
    .map(unquoted)
    .filter((name) => name !== '');
}

/** Text from an opening parenthesis to its partner. */
function bodyAt(text: string, start: number): string {
  let depth = 1;
  let at = start;
  for (; at < text.length && depth > 0; at++) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
  }
  return text.slice(start, at - 1);
}

/** Common table expressions that the text declares. */
export function commonTables(
  text: string,
): readonly { readonly name: string; readonly columns: readonly string[] }[] {
  return [...text.matchAll(ctePattern)].map((match) => ({
    name: unquoted(match[1] ?? ''),
    columns:
      match[2]?.split(',').map((name) => unquoted(name.trim())) ??
      selectedNames(bodyAt(text, match.index + match[0].length)),
  }));
}

/** Tables that the text reads, under the names by which their columns can be reached. */
export function sourcesOf(text: string, names: SqlNames): readonly Source[] {
  const common = commonTables(text);
  return [...text.matchAll(fromPattern)].flatMap((match) => {
    const parts = (match[1] ?? '').split('.').map((part) => unquoted(part.trim()));
    const table = parts.at(-1) ?? '';
    const schema = parts.length > 1 ? parts[0] : undefined;
    const said = match[2] === undefined ? undefined : unquoted(match[2]);
    const alias = said === undefined || notAliases.has(said.toLowerCase()) ? table : said;
    const cte = common.find((entry) => entry.name.toLowerCase() === table.toLowerCase());
    if (cte) return [{ alias, columns: cte.columns.map((name) => columnOption(name, table)) }];
    const known = names.tables.find(
      (entry) =>
        entry.name.toLowerCase() === table.toLowerCase() &&
        (schema === undefined || entry.schema?.toLowerCase() === schema.toLowerCase()),
    );
    if (!known) return [];
    return [{ alias, columns: known.columns.map((column) => columnOption(column.name, column.type)) }];
  });
}

const tableOptions = (names: SqlNames, text: string): readonly Completion[] => {
  const several = new Set<string>();
  const once = new Set<string>();
  for (const { name } of names.tables) (once.has(name) ? several : once).add(name);
  return [
    ...commonTables(text).map(({ name }) => ({
      label: name,
      apply: quoted(name),
      detail: 'in this query',
      type: 'class',
      boost: 3,
    })),
    ...names.tables.map(({ schema, name }) => {
      const isPlain = schema === null || schema === 'public' || schema === 'main';
      const apply = isPlain && !several.has(name) ? quoted(name) : `${quoted(schema ?? '')}.${quoted(name)}`;
      return { label: name, apply, detail: schema ?? '', type: 'class', boost: 1 };
    }),
  ];
};

/** Completes names: columns after an alias, tables of a schema, tables, columns in reach, parameters. */
export function completeNames(names: SqlNames) {
  return (context: CompletionContext): CompletionResult | null => {
    const text = context.state.doc.toString();
    const parameter = context.matchBefore(/\{\{\s*\w*/);
    if (parameter) {
      const options = names.parameters.map((name) => ({ label: name, apply: `${name}}}`, type: 'variable' }));
      return {
        from: parameter.from + (/^\{\{\s*/.exec(parameter.text)?.[0].length ?? 2),
        options,
        validFor: /^\w*$/,
      };
    }
    const sources = sourcesOf(text, names);
    const qualified = context.matchBefore(new RegExp(String.raw`${identifier}\s*\.\s*["\w]*`));
    if (qualified) {
      const [owner = ''] = qualified.text.split('.');
      const from = qualified.from + qualified.text.lastIndexOf('.') + 1;
      const wanted = unquoted(owner.trim()).toLowerCase();
      const columns = sources
        .filter(({ alias }) => alias.toLowerCase() === wanted)
        .flatMap((source) => source.columns);
      const tables = names.tables
        .filter(({ schema }) => schema?.toLowerCase() === wanted)
        .map(({ name }) => ({ label: name, apply: quoted(name), type: 'class' }));
      const options = [...columns, ...tables];
      return options.length > 0 ? { from, options, validFor: /^"?\w*$/ } : null;
    }
    const word = context.matchBefore(/[A-Za-z_]\w*/);
    if (!word && !context.explicit) return null;
    const aliases = sources.map(({ alias }) => ({
      label: alias,
      apply: quoted(alias),
      detail: 'table here',
      type: 'namespace',
    }));
    const schemas = [...new Set(names.tables.flatMap(({ schema }) => (schema === null ? [] : [schema])))].map(
      (schema) => ({
        label: schema,
        apply: quoted(schema),
        detail: 'schema',
        type: 'namespace',
      }),
    );
    const options = [
      ...sources.flatMap((source) => source.columns),
      ...tableOptions(names, text),
      ...aliases,
      ...schemas,
    ];
    return { from: word?.from ?? context.pos, options, validFor: /^\w*$/ };
  };
}
