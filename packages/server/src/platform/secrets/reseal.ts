import { type KeyRing, type OpenFailure, type Randomness, reseal } from '../crypto/index.ts';
import type { Queryable } from '../db/index.ts';
import { nameOf, quoted, type SealedColumn } from './sealed-columns.ts';

/** A value that could not be encrypted anew; it stays as it is. */
export type ResealFailure = {
  /** `table.column`. */
  readonly place: string;
  readonly rowId: string;
  readonly failure: OpenFailure;
};

/** What one batch came to. */
export type ResealBatch = { readonly resealed: number; readonly failures: readonly ResealFailure[] };

type Row = { readonly id: string; readonly sealed: string };

const batchRows = 500;

/** Values under other keys than the current one, after a row of the primary key. */
async function readBatch(
  executor: Queryable,
  { table, column, key, keyType }: SealedColumn,
  currentKeyId: string,
  after: string | null,
): Promise<Row[]> {
  const { rows } = await executor.query<Row>(
    // Qualified throughout: an order by the text of the key would pass rows over.
    `select t.${quoted(key)}::text as id, t.${quoted(column)} as sealed from svc.${quoted(table)} t
     where ($1::text is null or t.${quoted(key)} > $1::text::${keyType})
       and t.${quoted(column)} is not null and t.${quoted(column)} <> ''
       and split_part(t.${quoted(column)}, '.', 2) <> $2
     order by t.${quoted(key)} limit $3`,
    [after, currentKeyId, batchRows],
  );
  return rows;
}

/** Writes the new envelopes, except where a value changed since it was read: that one is newer, and right. */
async function writeBatch(
  executor: Queryable,
  { table, column, key, keyType }: SealedColumn,
  changes: readonly { readonly id: string; readonly from: string; readonly to: string }[],
): Promise<number> {
  const { rowCount } = await executor.query(
    `update svc.${quoted(table)} t set ${quoted(column)} = v.next
     from unnest($1::text[]::${keyType}[], $2::text[], $3::text[]) as v (id, previous, next)
     where t.${quoted(key)} = v.id and t.${quoted(column)} = v.previous`,
    [changes.map(({ id }) => id), changes.map(({ from }) => from), changes.map(({ to }) => to)],
  );
  return rowCount ?? 0;
}

/**
 * Encrypts a column's values under the current key, a batch at a time. Which values are done is written in the
 * values themselves: a run that is cut short anywhere is taken up by the next. Beside a service that saves, no save
 * is lost.
 */
export async function* resealColumn(
  executor: Queryable,
  keys: KeyRing,
  random: Randomness,
  column: SealedColumn,
): AsyncGenerator<ResealBatch> {
  let after: string | null = null;
  for (;;) {
    const rows: Row[] = await readBatch(executor, column, keys.current.id, after);
    if (rows.length === 0) return;
    after = rows.at(-1)?.id ?? null;
    const failures: ResealFailure[] = [];
    const changes: { id: string; from: string; to: string }[] = [];
    for (const { id, sealed } of rows) {
      const location = { table: column.table, column: column.column, rowId: id };
      const made = reseal(keys, sealed, location, random);
      if (made.ok) changes.push({ id, from: sealed, to: made.envelope });
      else failures.push({ place: nameOf(column), rowId: id, failure: made.failure });
    }
    yield { resealed: changes.length > 0 ? await writeBatch(executor, column, changes) : 0, failures };
  }
}
