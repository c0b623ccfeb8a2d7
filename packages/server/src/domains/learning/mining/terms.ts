import type { SqlDialect } from '@svc/connectors';
import { type ReadStatement, readStatement, type Word } from '../statements/read-statement.ts';
import type { SchemaNames } from '../statements/schema-names.ts';
import { renderWords } from '../statements/shape.ts';
import type { Pattern } from './pattern.ts';

const meaningLengthMax = 200;
/** Matches names with the length of a word. Longer names are phrases. */
const term = /^\p{L}[\p{L}\p{N}_]{2,39}$/u;

/** Returns names that confirmed statements give to computed results, as business terms. */
export function terms(
  statements: readonly { readonly sql: string; readonly saidBy: string }[],
  dialect: SqlDialect,
  schema: SchemaNames,
): Pattern[] {
  const namedResults = statements.flatMap(({ sql, saidBy }) =>
    named(readStatement(sql, dialect, schema)).map((one) => ({ ...one, saidBy })),
  );
  const groups = Map.groupBy(namedResults, ({ table, name }) => JSON.stringify([table, name]));
  return [...groups].flatMap(([identity, all]): Pattern[] => {
    const meanings = new Set(all.map(({ meaning }) => meaning));
    const [first] = all;
    // A name with several meanings, or the name of a column, is no business term.
    if (!first || meanings.size > 1 || schema.hasColumn(first.name)) return [];
    return [
      {
        kind: 'BusinessTerm',
        identity,
        table: first.table,
        column: null,
        content: { kind: 'BusinessTerm', term: first.name, meaning: first.meaning },
        signalCount: all.length,
        callerCount: new Set(all.map(({ saidBy }) => saidBy)).size,
      },
    ];
  });
}

type Named = { readonly table: string; readonly name: string; readonly meaning: string };

/** Returns named results of a statement about one table. */
function named({ words, tables }: ReadStatement): Named[] {
  const [table, ...more] = tables;
  if (table === undefined || more.length > 0) return [];
  return resultsOf(words).flatMap((item): Named[] => {
    const alias = item.at(-1);
    const body = item.slice(0, item.at(-2)?.text.toLowerCase() === 'as' ? -2 : -1);
    const isComputed = body.length > 1 && body.some(({ meaning }) => meaning.kind === 'Column');
    if (alias?.meaning.kind !== 'Alias' || !term.test(alias.text) || !isComputed) return [];
    const isKnown = body.every(({ meaning }) => meaning.kind !== 'Unknown' && meaning.kind !== 'Alias');
    const meaning = renderWords(body.filter(({ text }) => !text.includes('\n')));
    return isKnown && meaning.length <= meaningLengthMax
      ? [{ table, name: alias.text.toLowerCase(), meaning }]
      : [];
  });
}

/** Returns the select list of a statement. Statements that do not begin with SELECT return none. */
function resultsOf(words: readonly Word[]): Word[][] {
  if (words[0]?.text.toLowerCase() !== 'select') return [];
  const items: Word[][] = [[]];
  let depth = 0;
  for (const word of words.slice(1)) {
    const lower = word.text.toLowerCase();
    if (lower === '(') depth += 1;
    if (lower === ')') depth -= 1;
    if (depth === 0 && lower === 'from' && word.meaning.kind === 'Keyword') return items;
    if (depth === 0 && lower === ',') items.push([]);
    else items.at(-1)?.push(word);
  }
  return [];
}
