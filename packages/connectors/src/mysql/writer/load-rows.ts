import { randomUUID } from 'node:crypto';
import type { MysqlColumn } from './describe.ts';
import { quoted } from './names.ts';
import type { WritingSession } from './session.ts';

/** Returns true if the server accepts `LOAD DATA LOCAL`. */
export async function takesLocalRows({ rows }: Pick<WritingSession, 'rows'>): Promise<boolean> {
  const [row] = await rows<{ allowed: string | number }>('select @@global.local_infile as allowed');
  return Number(row?.allowed) === 1;
}

/**
 * Creates a loader by `LOAD DATA LOCAL`. It returns false if not all rows arrived unchanged; the caller must then
 * roll back.
 */
export function createRowLoader(
  { run }: Pick<WritingSession, 'run'>,
  /** Quoted name. */
  table: string,
  columns: readonly MysqlColumn[],
): (rows: Buffer, count: number) => Promise<boolean> {
  const targets = columns.map(({ name, ...column }, at) => (readsAs(column, at) ? `@c${at}` : quoted(name)));
  const sets = columns.flatMap(({ name, ...column }, at) => {
    const value = readsAs(column, at);
    return value ? [`${quoted(name)} = ${value}`] : [];
  });
  return async (rows, count) => {
    // The name is unique to this statement. A request for any other name gets no data.
    const name = `svc-rows-${randomUUID()}`;
    const { affectedRows, warnings } = await run(
      `load data local infile '${name}' into table ${table} character set utf8mb4
        fields terminated by '\\t' escaped by '\\\\' lines terminated by '\\n' (${targets.join(', ')})
        ${sets.length === 0 ? '' : `set ${sets.join(', ')}`}`,
      { name, rows },
    );
    // LOCAL turns errors into warnings and skips rows.
    return warnings === 0 && affectedRows === count;
  };
}

/** Returns the expression that converts a field; undefined for a field whose text is the value. */
function readsAs({ kind, dataType }: Pick<MysqlColumn, 'kind' | 'dataType'>, at: number): string | undefined {
  if (kind === 'binary') return `unhex(@c${at})`;
  return dataType === 'bit' ? `cast(@c${at} as unsigned)` : undefined;
}

/** Formats the literals of one row as a line of the loaded file. */
export const lineOf = (literals: readonly string[]): string => `${literals.map(fieldOf).join('\t')}\n`;

/** Converts an SQL literal to a field. Both escape by backslash; a field also escapes its separators. */
export function fieldOf(literal: string): string {
  if (literal === 'NULL') return '\\N';
  if (literal.startsWith("x'")) return literal.slice(2, -1);
  if (!literal.startsWith("'")) return literal;
  const text = literal.slice(1, -1);
  return /[\t\n]/.test(text) ? text.replaceAll('\t', '\\t').replaceAll('\n', '\\n') : text;
}
