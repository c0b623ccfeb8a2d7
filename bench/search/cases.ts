import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'fixtures');

/** A table of the benchmark's project. */
export type BenchTable = {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly comment: string | null;
  }[];
};

/** A question and the tables that its first gold statement reads. */
export type Case = { readonly question: string; readonly needed: readonly string[] };

type SchemaFile = {
  readonly table_metadata: Readonly<
    Record<string, readonly { data_type: string; column_name: string; column_description: string }[]>
  >;
};

/** Returns every table of every schema, named `schema.table` after its file. */
export function readTables(): BenchTable[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .flatMap((file) => {
      const schema = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as SchemaFile;
      return Object.entries(schema.table_metadata).map(([table, columns]) => ({
        name: `${path.basename(file, '.json')}.${table}`,
        columns: columns.map(({ column_name, data_type, column_description }) => ({
          name: column_name,
          type: data_type,
          comment: column_description || null,
        })),
      }));
    });
}

/** A question with the statements that answer it, separated by semicolons. */
export type Gold = {
  /** Name of its file. */
  readonly file: string;
  readonly schema: string;
  readonly question: string;
  readonly statements: string;
};

/** Returns every question of the data. */
export const readGold = (): Gold[] =>
  ['instruct_advanced_postgres.csv', 'instruct_basic_postgres.csv', 'questions_gen_postgres.csv'].flatMap(
    (file) =>
      recordsOf(readFileSync(path.join(folder, file), 'utf8')).map((record) => ({
        file,
        schema: record['db_name'] ?? '',
        question: record['question'] ?? '',
        statements: record['query'] ?? '',
      })),
  );

/** Returns every question whose gold statement reads a table of its schema. */
export function readCases(tables: readonly BenchTable[]): Case[] {
  const byLowerName = new Map(tables.map(({ name }) => [name.toLowerCase(), name]));
  return readGold().flatMap(({ schema, question, statements }): Case[] => {
    const needed = tablesOf(statements)
      .map((table) => byLowerName.get(`${schema}.${table}`))
      .filter((name) => name !== undefined);
    return needed.length === 0 ? [] : [{ question, needed: [...new Set(needed)] }];
  });
}

/** Returns the table names of the first gold statement: after FROM or JOIN, and after commas there. */
function tablesOf(gold: string): string[] {
  const [statement = ''] = gold.split(';');
  const lists = statement.matchAll(
    /\b(?:from|join)\s+((?:"?[\w.]+"?(?:\s+(?:as\s+)?\w+)?\s*,\s*)*"?[\w.]+"?)/gi,
  );
  return [...lists].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((part) => part.trim().split(/\s+/)[0]?.replaceAll('"', '').split('.').at(-1)?.toLowerCase() ?? ''),
  );
}

/** Returns the records of a CSV file with a header and quoted fields (RFC 4180). */
function recordsOf(text: string): Record<string, string>[] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1) rows.push(row);
    row = [];
  }
  const [header = [], ...records] = rows;
  return records.map((record) =>
    Object.fromEntries(header.map((name, index) => [name, record[index] ?? ''])),
  );
}
