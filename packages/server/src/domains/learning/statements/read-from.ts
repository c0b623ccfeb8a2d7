import type { Meaning } from './read-statement.ts';
import type { NamedTable, SchemaNames } from './schema-names.ts';
import { endsFrom } from './sql-words.ts';
import { only, type Token, type Tokens } from './tokens.ts';

export type From = {
  /** Tables by alias and by name, in lower case. Null for an alias of a subquery or an ambiguous alias. */
  readonly sources: ReadonlyMap<string, NamedTable | null>;
  /** Tables in the order of their appearance. */
  readonly tables: readonly NamedTable[];
  /** Meanings of tokens in FROM clauses. */
  readonly named: ReadonlyMap<number, Meaning>;
};

/** Returns the tables of all FROM clauses, with their aliases. */
export function readFrom(at: Tokens, schema: SchemaNames): From {
  const sources = new Map<string, NamedTable | null>();
  const tables: NamedTable[] = [];
  const named = new Map<number, Meaning>();
  const defined = definedNames(at);
  for (const alias of defined) sources.set(alias, null);
  const note = (alias: string, table: NamedTable | null): void => {
    const previousTable = sources.get(alias);
    sources.set(alias, sources.has(alias) && previousTable !== table ? null : table);
  };
  const textOf = (index: number): string => at.all[index]?.text ?? '';

  /** Reads a table name with or without its schema. */
  const nameTable = (start: number): { readonly last: number; readonly table: NamedTable | undefined } => {
    const bare = textOf(start).toLowerCase();
    if (at.is(start + 1, '.') && at.isName(start + 2)) {
      // The schema is part of the table's name.
      for (const part of [start, start + 1]) named.set(part, { kind: 'Table', name: '' });
      const table = schema.table(`${textOf(start)}.${textOf(start + 2)}`);
      named.set(start + 2, table ? { kind: 'Table', name: table.name } : { kind: 'Unknown' });
      return { last: start + 2, table };
    }
    const table = defined.has(bare) ? undefined : only(schema.tablesOf(bare));
    const other: Meaning = { kind: defined.has(bare) ? 'Alias' : 'Unknown' };
    named.set(start, table ? { kind: 'Table', name: table.name } : other);
    return { last: start, table };
  };

  /** @returns the last token that belongs to the table. */
  const readTable = (start: number): number => {
    if (!at.isName(start) || at.is(start + 1, '(')) return start;
    const { last, table } = nameTable(start);
    if (table) {
      tables.push(table);
      note(table.bare.toLowerCase(), table);
    }
    const alias = at.is(last + 1, 'as') ? last + 2 : last + 1;
    if (!at.isName(alias) || at.is(alias + 1, '(')) return last;
    named.set(alias, { kind: 'Alias' });
    note(textOf(alias).toLowerCase(), table ?? null);
    return alias;
  };

  const levels: Level[] = [{ hasSelect: false, isList: false }];
  for (let index = 0; index < at.all.length; index += 1) {
    const token = at.all[index];
    if (token && beginsTable(token, levels)) index = Math.max(index, readTable(index + 1));
  }
  return { sources, tables, named };
}

/** State of one level of parentheses. */
type Level = {
  /** False for `extract(year from placed)`, which has a FROM without tables. */
  readonly hasSelect: boolean;
  /** True when a comma continues a list of tables. */
  readonly isList: boolean;
};

/** Returns true when a table follows. Tracks the open lists of tables. */
function beginsTable({ kind, lower }: Token, levels: Level[]): boolean {
  const level = levels.at(-1) ?? { hasSelect: false, isList: false };
  const become = (next: Level): void => void levels.splice(-1, 1, next);
  if (lower === '(') levels.push({ hasSelect: false, isList: false });
  else if (lower === ')' && levels.length > 1) levels.pop();
  else if (kind === 'word' && lower === 'select') become({ hasSelect: true, isList: false });
  else if (kind === 'word' && endsFrom.has(lower)) become({ ...level, isList: false });
  else if (kind === 'word' && (lower === 'join' || (lower === 'from' && level.hasSelect))) {
    become({ ...level, isList: true });
    return true;
  }
  return lower === ',' && level.isList;
}

/** Returns names that the statement defines: `with x as (`, `as materialized (`. */
const definedNames = ({ all, is, isName }: Tokens): ReadonlySet<string> =>
  new Set(
    all.flatMap(({ lower }, index) => {
      const opens = ['(', 'materialized', 'not'].some((word) => is(index + 2, word));
      return isName(index) && is(index + 1, 'as') && opens ? [lower] : [];
    }),
  );
