import type { GroundedTable, KnownValues } from './knowledge.ts';

/** Matches complete enumerations such as `enum('a','b')` and `Enum8('a' = 1, 'b' = 2)`. */
const enumeration = /^(?:Nullable\()?enum(?:8|16)?\((?<list>.*?)\)+$/is;
const member = /\s*'((?:[^'\\]|'')*)'\s*(?:=\s*-?\d+\s*)?(,|$)/gsy;

/** Returns the values in a column's type; undefined when it lists none or uses another syntax. */
function listOf(databaseType: string): string[] | undefined {
  const list = enumeration.exec(databaseType.trim())?.groups?.['list'];
  if (list === undefined) return undefined;
  const matches = [...list.matchAll(member)];
  const last = matches.at(-1);
  const isWhole = last !== undefined && last.index + last[0].length === list.length;
  return isWhole ? matches.map(([, text = '']) => text.replaceAll("''", "'")) : undefined;
}

/** Returns the values that column types list. */
export const listedValues = (tables: readonly GroundedTable[]): KnownValues[] =>
  tables.flatMap(({ schema, name, columns }) =>
    columns.flatMap(({ name: column, databaseType }) => {
      const values = listOf(databaseType);
      return values ? [{ schema, table: name, column, values }] : [];
    }),
  );
