import type { GroundedTable, KnownValues } from './known.ts';

/** `enum('a','b')`, and `Enum8('a' = 1, 'b' = 2)`, whole. */
const enumeration = /^(?:Nullable\()?enum(?:8|16)?\((?<list>.*?)\)+$/is;
const member = /\s*'((?:[^'\\]|'')*)'\s*(?:=\s*-?\d+\s*)?(,|$)/gsy;

/** What the type of a column lists; undefined where it lists nothing, or not in a form that is read here. */
function listOf(databaseType: string): string[] | undefined {
  const list = enumeration.exec(databaseType.trim())?.groups?.['list'];
  if (list === undefined) return undefined;
  const found = [...list.matchAll(member)];
  const last = found.at(-1);
  const isWhole = last !== undefined && last.index + last[0].length === list.length;
  return isWhole ? found.map(([, text = '']) => text.replaceAll("''", "'")) : undefined;
}

/** The values that types of columns list. */
export const listedValues = (tables: readonly GroundedTable[]): KnownValues[] =>
  tables.flatMap(({ schema, name, columns }) =>
    columns.flatMap(({ name: column, databaseType }) => {
      const values = listOf(databaseType);
      return values ? [{ schema, table: name, column, values }] : [];
    }),
  );
