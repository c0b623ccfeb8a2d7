import type { Executor, Tx } from '../../platform/db/index.ts';

/** Properties of a subscription's stored rows. */
export type MemoryHead = {
  /** Scope of the fingerprints: the subscription that stored the rows first. */
  readonly domain: number;
  readonly keyId: string;
  readonly keyColumns: readonly string[];
  readonly columns: readonly string[];
  readonly bucketBits: number;
  readonly rowCount: number;
  readonly duplicateKeyCount: number;
  /** True: masked key cells are stored. */
  readonly hasKeys: boolean;
};

/** Stored head. The run id shows whether the head has changed since it was read. */
export type StoredHead = MemoryHead & { readonly runId: number };

export type StoredBucket = {
  readonly id: number;
  readonly bucket: number;
  readonly entries: Buffer;
  readonly keysSealed: string | null;
};

const headColumns = `domain, key_id as "keyId", key_columns as "keyColumns", columns, bucket_bits as "bucketBits",
  row_count as "rowCount", duplicate_key_count as "duplicateKeyCount", has_keys as "hasKeys", run_id as "runId"`;

/** @param lock  Locks the row until the transaction ends. */
export async function readHead(
  executor: Executor,
  subscriptionId: number,
  lock = false,
): Promise<StoredHead | undefined> {
  const { rows } = await executor.query<StoredHead>({
    name: lock ? 'row-memory-lock-head' : 'row-memory-read-head',
    text: `select ${headColumns} from svc.row_memories where subscription_id = $1${lock ? ' for update' : ''}`,
    values: [subscriptionId],
  });
  return rows[0];
}

/** Buckets per read: about 16,000 rows. */
const bucketsAtOnce = 4;

/** Yields the stored rows, bucket by bucket. */
export async function* readBuckets(executor: Executor, subscriptionId: number): AsyncGenerator<StoredBucket> {
  for (let after = -1; ; ) {
    const { rows } = await executor.query<StoredBucket>({
      name: 'row-memory-read-buckets',
      text: `select id, bucket, entries, keys_sealed as "keysSealed" from svc.row_memory_buckets
        where subscription_id = $1 and not is_staged and bucket > $2 order by bucket limit ${bucketsAtOnce}`,
      values: [subscriptionId, after],
    });
    yield* rows;
    after = rows.at(-1)?.bucket ?? after;
    if (rows.length < bucketsAtOnce) return;
  }
}

/** Deletes the staged rows of an earlier run and starts a new staging. */
export async function beginStaging(
  tx: Executor,
  subscriptionId: number,
  runId: number,
  head: MemoryHead,
  replacesAll: boolean,
): Promise<void> {
  await dropStaged(tx, subscriptionId);
  await tx.query({
    name: 'row-memory-begin-staging',
    text: `insert into svc.row_memory_staged (subscription_id, run_id, domain, key_id, key_columns, columns, bucket_bits,
        row_count, duplicate_key_count, has_keys, replaces_all)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      subscriptionId,
      runId,
      head.domain,
      head.keyId,
      head.keyColumns,
      head.columns,
      head.bucketBits,
      head.rowCount,
      head.duplicateKeyCount,
      head.hasKeys,
      replacesAll,
    ],
  });
}

/** Reserves ids for new buckets. Sealed keys are bound to the id, so it must exist before the insert. */
export async function nextBucketIds(tx: Executor, count: number): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'row-memory-bucket-ids',
    text: `select nextval(pg_get_serial_sequence('svc.row_memory_buckets', 'id'))::bigint as id from generate_series(1, $1)`,
    values: [count],
  });
  return rows.map(({ id }) => id);
}

export async function stageBucket(
  tx: Executor,
  subscriptionId: number,
  { id, bucket, entries, keysSealed }: StoredBucket,
): Promise<void> {
  await tx.query({
    name: 'row-memory-stage-bucket',
    text: `insert into svc.row_memory_buckets (id, subscription_id, is_staged, bucket, entries, keys_sealed)
      overriding system value values ($1, $2, true, $3, $4, $5)`,
    values: [id, subscriptionId, bucket, entries, keysSealed],
  });
}

/** @param runId  Null: any run. */
async function dropStaged(tx: Executor, subscriptionId: number, runId: number | null = null): Promise<void> {
  await tx.query({
    name: 'row-memory-drop-staged',
    text: `with dropped as (
        delete from svc.row_memory_staged where subscription_id = $1 and ($2::bigint is null or run_id = $2)
        returning subscription_id)
      delete from svc.row_memory_buckets b using dropped d
      where b.subscription_id = d.subscription_id and b.is_staged`,
    values: [subscriptionId, runId],
  });
}

/** Replaces the stored rows of a subscription with the staged rows of a run. */
export async function promoteStaged(tx: Tx, subscriptionId: number, runId: number): Promise<void> {
  const key = [subscriptionId, runId];
  await tx.query({
    name: 'row-memory-replace-buckets',
    text: `delete from svc.row_memory_buckets b using svc.row_memory_staged s
      where s.subscription_id = $1 and s.run_id = $2 and b.subscription_id = $1 and not b.is_staged
        and (s.replaces_all or exists (select from svc.row_memory_buckets n
          where n.subscription_id = $1 and n.is_staged and n.bucket = b.bucket))`,
    values: key,
  });
  await tx.query({
    name: 'row-memory-promote-buckets',
    text: `update svc.row_memory_buckets b set is_staged = false from svc.row_memory_staged s
      where s.subscription_id = $1 and s.run_id = $2 and b.subscription_id = $1 and b.is_staged`,
    values: key,
  });
  await tx.query({
    name: 'row-memory-promote-head',
    text: `with staged as (delete from svc.row_memory_staged where subscription_id = $1 and run_id = $2 returning *)
      insert into svc.row_memories as m (subscription_id, domain, key_id, key_columns, columns, bucket_bits, row_count,
        duplicate_key_count, has_keys, run_id)
      select subscription_id, domain, key_id, key_columns, columns, bucket_bits, row_count, duplicate_key_count,
        has_keys, run_id from staged
      on conflict (subscription_id) do update set domain = excluded.domain, key_id = excluded.key_id,
        key_columns = excluded.key_columns, columns = excluded.columns, bucket_bits = excluded.bucket_bits,
        row_count = excluded.row_count, duplicate_key_count = excluded.duplicate_key_count,
        has_keys = excluded.has_keys, run_id = excluded.run_id, updated_at = now()`,
    values: key,
  });
}

/** Discards the staged rows of a run, so that the next run compares with the same rows. */
export const discardStaged = (tx: Tx, subscriptionId: number, runId: number): Promise<void> =>
  dropStaged(tx, subscriptionId, runId);

/** Deletes the stored and the staged rows of a subscription. */
export async function deleteMemory(tx: Tx, subscriptionId: number): Promise<void> {
  // Lock order: first the row that a concurrent run also locks.
  await tx.query('delete from svc.row_memories where subscription_id = $1', [subscriptionId]);
  await tx.query('delete from svc.row_memory_staged where subscription_id = $1', [subscriptionId]);
  await tx.query('delete from svc.row_memory_buckets where subscription_id = $1', [subscriptionId]);
}

/** Moves the stored rows of a subscription to the subscription that replaces it. */
export async function moveMemory(tx: Tx, fromId: number, toId: number): Promise<void> {
  await dropStaged(tx, fromId);
  for (const table of ['row_memories', 'row_memory_buckets'])
    await tx.query(`update svc.${table} set subscription_id = $2 where subscription_id = $1`, [fromId, toId]);
}

/** Returns the live subscriptions whose rows are stored under another key. */
export async function memoriesUnderOtherKeys(executor: Executor, keyId: string): Promise<number[]> {
  const { rows } = await executor.query<{ id: number }>(
    `select m.subscription_id as id from svc.row_memories m
     join svc.subscriptions s on s.id = m.subscription_id and s.archived_at is null
     where m.key_id <> $1 order by 1`,
    [keyId],
  );
  return rows.map(({ id }) => id);
}
