import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { type Quote, quoteFor } from '../quoting.ts';
import { conditionOptions, type KnownJoin, tableJoinOptions } from './join-completion.ts';
import {
  commonTables,
  identifier,
  type KnownColumn,
  type KnownTable,
  sourcesOf,
  unquoted,
} from './sql-text.ts';

/** Names from the data source and the draft that completion offers. */
export type SqlNames = {
  readonly tables: readonly KnownTable[];
  /** Relationships between tables, offered after `join`. */
  readonly joins: readonly KnownJoin[];
  /** Parameters of the query, offered after `{{`. */
  readonly parameters: readonly string[];
};

/** Returns true after `as`: the user types a new name there, so completion offers nothing. */
export const isNaming = (context: CompletionContext): boolean => context.matchBefore(/\bas\s+\w*$/i) !== null;

/** Removes options with equal names, such as a column of two tables, because they insert the same text. */
function once(options: readonly Completion[]): readonly Completion[] {
  const optionsByText = new Map<string, Completion>();
  for (const option of options) {
    const text = String(option.apply ?? option.label);
    if (!optionsByText.has(text)) optionsByText.set(text, option);
  }
  return [...optionsByText.values()];
}

const columnOption = ({ name, type }: KnownColumn, quote: Quote): Completion => ({
  label: name,
  apply: quote(name),
  detail: type,
  type: 'property',
  boost: 2,
});

const tableOptions = (names: SqlNames, text: string, quote: Quote): readonly Completion[] => {
  const several = new Set<string>();
  const once = new Set<string>();
  for (const { name } of names.tables) (once.has(name) ? several : once).add(name);
  return [
    ...commonTables(text).map(({ name }) => ({
      label: name,
      apply: quote(name),
      detail: 'in this query',
      type: 'class',
      boost: 3,
    })),
    ...names.tables.map(({ schema, name }) => {
      const isDefaultSchema = schema === null || schema === 'public' || schema === 'main';
      const apply =
        isDefaultSchema && !several.has(name) ? quote(name) : `${quote(schema ?? '')}.${quote(name)}`;
      return { label: name, apply, detail: schema ?? '', type: 'class', boost: 1 };
    }),
  ];
};

/**
 * Completes quoted names: columns after an alias, tables of a schema, tables, columns of the statement, and parameters.
 */
export function completeNames(names: SqlNames, engine: string) {
  const quote = quoteFor(engine);
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
    if (isNaming(context)) return null;
    const read = sourcesOf(text, names.tables);
    const joined = context.matchBefore(/\bjoin\s+\S+(?:\s+(?:as\s+)?\w+)?\s+on\s+\w*$/i);
    const conditions = joined ? conditionOptions(joined.text, read, names.joins, quote) : [];
    const sources = read.map(({ alias, columns }) => ({
      alias,
      columns: columns.map((column) => columnOption(column, quote)),
    }));
    const qualified = context.matchBefore(new RegExp(String.raw`${identifier}\s*\.\s*["\w]*`));
    if (qualified) {
      const [owner = ''] = qualified.text.split('.');
      const from = qualified.from + qualified.text.lastIndexOf('.') + 1;
      const qualifier = unquoted(owner.trim()).toLowerCase();
      const columns = sources
        .filter(({ alias }) => alias.toLowerCase() === qualifier)
        .flatMap((source) => source.columns);
      const tables = names.tables
        .filter(({ schema }) => schema?.toLowerCase() === qualifier)
        .map(({ name }) => ({ label: name, apply: quote(name), type: 'class' }));
      const options = once([...columns, ...tables]);
      return options.length > 0 ? { from, options, validFor: /^"?\w*$/ } : null;
    }
    const name = context.matchBefore(/[A-Za-z_]\w*/);
    if (!name && !context.explicit) return null;
    const aliases = sources.map(({ alias }) => ({
      label: alias,
      apply: quote(alias),
      detail: 'table here',
      type: 'namespace',
    }));
    const schemas = [...new Set(names.tables.flatMap(({ schema }) => (schema === null ? [] : [schema])))].map(
      (schema) => ({
        label: schema,
        apply: quote(schema),
        detail: 'schema',
        type: 'namespace',
      }),
    );
    // A table without an alias is one option: as a table after `from` and `join`, as an alias elsewhere.
    const isSource = context.matchBefore(/\b(?:from|join)\s+\w*$/i) !== null;
    const tables = tableOptions(names, text, quote);
    const without = (options: readonly Completion[], others: readonly Completion[]) =>
      options.filter(({ label }) => !others.some((other) => other.label === label));
    const isJoin = context.matchBefore(/\bjoin\s+\w*$/i) !== null;
    const options = once([
      ...conditions,
      ...(isJoin ? tableJoinOptions(read, names.joins, quote) : []),
      ...sources.flatMap((source) => source.columns),
      ...(isSource ? [...tables, ...without(aliases, tables)] : [...aliases, ...without(tables, aliases)]),
      ...schemas,
    ]);
    return { from: name?.from ?? context.pos, options, validFor: /^\w*$/ };
  };
}
