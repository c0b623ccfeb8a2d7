import { type KeyRing, type OpenFailure, type Randomness, reseal } from '../crypto/index.ts';
import type { Queryable } from '../db/index.ts';
import { nameOf, quoted, type SealedColumn } from './sealed-columns.ts';

/** A value that could not be re-encrypted. It remains unchanged. */
export type ResealFailure = {
  /** `table.column`. */
  readonly place: string;
  readonly rowId: string;
  readonly failure: OpenFailure;
};

/** Result of one batch. */
export type ResealBatch = { readonly resealed: number; readonly failures: readonly ResealFailure[] };

type Row = { readonly id: string; readonly sealed: string };

const batchRows = 500;

/** Returns values under other keys than the current one, after a row of the primary key. */
async function readBatch(
  executor: Queryable,
  { table, column, key, keyType }: SealedColumn,
  currentKeyId: string,
  after: string | null,
): Promise<Row[]> {
  const { rows } = await executor.query<Row>(
    // Qualified column names: an order by the text of the key would skip rows.
    `select t.${quoted(key)}::text as id, t.${quoted(column)} as sealed from svc.${quoted(table)} t
     where ($1::text is null or t.${quoted(key)} > $1::text::${keyType})
       and t.${quoted(column)} is not null and t.${quoted(column)} <> ''
       and split_part(t.${quoted(column)}, '.', 2) <> $2
     order by t.${quoted(key)} limit $3`,
    [after, currentKeyId, batchRows],
  );
  return rows;
}

/** Writes the new envelopes. Skips values that changed after they were read, because the newer value is correct. */
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
 * Encrypts a column's values under the current key, in batches. The values themselves contain the progress: after
 * an interruption, the next run resumes. Concurrent writes of a running service are not lost.
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
      const resealed = reseal(keys, sealed, location, random);
      if (resealed.ok) changes.push({ id, from: sealed, to: resealed.envelope });
      else failures.push({ place: nameOf(column), rowId: id, failure: resealed.failure });
    }
    yield { resealed: changes.length > 0 ? await writeBatch(executor, column, changes) : 0, failures };
  }
}
