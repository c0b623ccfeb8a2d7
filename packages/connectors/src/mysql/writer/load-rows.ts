import { randomUUID } from 'node:crypto';
import type { MysqlColumn } from './describe.ts';
import { quoted } from './names.ts';
import type { WritingSession } from './session.ts';

/** Whether the server takes rows by `LOAD DATA LOCAL`. */
export async function takesLocalRows({ rows }: Pick<WritingSession, 'rows'>): Promise<boolean> {
  const [found] = await rows<{ allowed: string | number }>('select @@global.local_infile as allowed');
  return Number(found?.allowed) === 1;
}

/** Sends rows by `LOAD DATA LOCAL`. False: not all of them arrived as they are, and the transaction has to be taken back. */
export function createRowLoader(
  { run }: Pick<WritingSession, 'run'>,
  /** Quoted. */
  table: string,
  columns: readonly MysqlColumn[],
): (rows: Buffer, count: number) => Promise<boolean> {
  const targets = columns.map(({ name, ...column }, at) => (readsAs(column, at) ? `@c${at}` : quoted(name)));
  const sets = columns.flatMap(({ name, ...column }, at) => {
    const value = readsAs(column, at);
    return value ? [`${quoted(name)} = ${value}`] : [];
  });
  return async (rows, count) => {
    // A name of this statement alone: whoever asks for another one is told nothing.
    const name = `svc-rows-${randomUUID()}`;
    const { affectedRows, warnings } = await run(
      `load data local infile '${name}' into table ${table} character set utf8mb4
        fields terminated by '\\t' escaped by '\\\\' lines terminated by '\\n' (${targets.join(', ')})
        ${sets.length === 0 ? '' : `set ${sets.join(', ')}`}`,
      { name, rows },
    );
    // LOCAL turns errors into warnings, and leaves rows out.
    return warnings === 0 && affectedRows === count;
  };
}

/** What a field is turned into where its text is not the value. */
function readsAs({ kind, dataType }: Pick<MysqlColumn, 'kind' | 'dataType'>, at: number): string | undefined {
  if (kind === 'binary') return `unhex(@c${at})`;
  return dataType === 'bit' ? `cast(@c${at} as unsigned)` : undefined;
}

/** Literals of one row as a line of the file that is loaded. */
export const lineOf = (literals: readonly string[]): string => `${literals.map(fieldOf).join('\t')}\n`;

/** A literal of SQL as a field: both escape by backslash, a field its separators as well. */
export function fieldOf(literal: string): string {
  if (literal === 'NULL') return '\\N';
  if (literal.startsWith("x'")) return literal.slice(2, -1);
  if (!literal.startsWith("'")) return literal;
  const text = literal.slice(1, -1);
  return /[\t\n]/.test(text) ? text.replaceAll('\t', '\\t').replaceAll('\n', '\\n') : text;
}
