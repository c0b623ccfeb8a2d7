import { setImmediate } from 'node:timers/promises';
import type { RowMemory } from '@svc/contract';
import type { FingerprintRequest } from '../../gateways/run-sql/index.ts';
import { type KeyRing, open, type Randomness, seal } from '../../platform/crypto/index.ts';
import type { Database, Executor } from '../../platform/db/index.ts';
import { compareRows, type RowComparison } from './comparison.ts';
import { bucketBitsOf, createKeyTable, type KeyTable, type MaskedKey } from './key-table.ts';
import {
  beginStaging,
  type MemoryHead,
  nextBucketIds,
  readBuckets,
  readHead,
  type StoredHead,
  stageBucket,
} from './store.ts';

/** Maximum number of rows for which masked keys are stored. */
const keptKeysMax = 100_000;

const keysPlace = (id: number) => ({ table: 'row_memory_buckets', column: 'keys_sealed', rowId: id });

/** Stored rows of a subscription, opened for one run. */
export type OpenMemory = Pick<RowComparison, 'apply' | 'finding'> & {
  /** Fingerprint request for the run-SQL gateway. */
  readonly fingerprints: FingerprintRequest;
  /** True: no rows are stored yet, or none with these columns. */
  readonly isBaseline: boolean;
  /** Stages the rows of the run until it ends, in the transaction that stores its outcome. */
  readonly stage: (tx: Executor, runId: number) => Promise<void>;
};

export type RowMemories = ReturnType<typeof createRowMemories>;

/**
 * Creates the row memories of subscriptions. They store keyed hashes, which reveal no cells, and masked keys, which are
 * encrypted.
 */
export function createRowMemories(deps: {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly random: Randomness;
  /** `Svc:Subscriptions:RowMemoryMaxRows`. */
  readonly rowsMax: number;
}) {
  const { database, keys, random, rowsMax } = deps;

  const loadKnown = async (subscriptionId: number, rule: RowMemory): Promise<KeyTable> => {
    const table = createKeyTable({ rowsMax, keepsKeys: rule.keepsKeys });
    for await (const { id, entries, keysSealed } of readBuckets(database, subscriptionId))
      table.load(entries, rule.keepsKeys && keysSealed !== null ? openKeys(id, keysSealed) : []);
    return table;
  };

  /** Decrypts masked keys. Returns none if they are unreadable: their rows still count. */
  const openKeys = (id: number, sealed: string): (MaskedKey | null)[] => {
    const opened = open(keys, sealed, keysPlace(id));
    // `stage` wrote this text, and the envelope authenticates it.
    return opened.ok ? (JSON.parse(opened.secret.reveal()) as (MaskedKey | null)[]) : [];
  };

  /** Writes the rows of a run as staged buckets. */
  const stage = async (
    tx: Executor,
    { subscriptionId, runId }: { readonly subscriptionId: number; readonly runId: number },
    memory: { readonly head: MemoryHead; readonly table: KeyTable; readonly replacesAll: boolean },
  ): Promise<void> => {
    const { head, table, replacesAll } = memory;
    await beginStaging(tx, subscriptionId, runId, head, replacesAll);
    let ids: number[] = [];
    for (const { bucket, entries, keys: maskedKeys } of table.buckets(head.bucketBits, !replacesAll)) {
      if (ids.length === 0) ids = await nextBucketIds(tx, idsAtOnce);
      const id = ids.shift();
      if (id === undefined) throw new Error('A sequence gave no number.');
      const keysSealed = head.hasKeys ? seal(keys, JSON.stringify(maskedKeys), keysPlace(id), random) : null;
      await stageBucket(tx, subscriptionId, { id, bucket, entries, keysSealed });
    }
  };

  return {
    /** Reads the stored rows of a subscription. */
    open: async (subscriptionId: number, configured: RowMemory): Promise<OpenMemory> => {
      const rule = inOneOrder(configured);
      const stored = await readHead(database, subscriptionId);
      const head = stored && isComparable(stored, rule, keys) ? stored : undefined;
      const storedTable = head ? await loadKnown(subscriptionId, rule) : null;
      const current = keys.current.id;
      // Rows under an earlier key are looked up with that key, and stored again under the current one.
      const next =
        storedTable !== null && head?.keyId === current
          ? storedTable
          : createKeyTable({ rowsMax, keepsKeys: rule.keepsKeys });
      const comparison = compareRows(
        {
          rule,
          known: storedTable,
          next,
          keyIds: { current, known: head?.keyId ?? current },
          comparesContents: (columns) => head !== undefined && areSame(head.columns, columns),
        },
        () => setImmediate(),
      );
      const domain = stored?.domain ?? subscriptionId;
      return {
        apply: comparison.apply,
        finding: comparison.finding,
        fingerprints: comparison.fingerprints(domain),
        isBaseline: storedTable === null,
        stage: async (tx, runId) => {
          // The stored rows were reset, changed or moved in the meantime, so the comparison is obsolete.
          const present = await readHead(tx, subscriptionId, true);
          if (present?.runId !== stored?.runId || (present?.domain ?? domain) !== domain) return;
          const after = headAfter({ rule, comparison, domain, keyId: current, before: head });
          const replacesAll = next !== storedTable || !head || !isSameLayout(head, after);
          await stage(tx, { subscriptionId, runId }, { head: after, table: next, replacesAll });
        },
      };
    },
  };
}

const idsAtOnce = 64;

/** Sorts the columns of a rule, because their order has no meaning. */
const inOneOrder = (rule: RowMemory): RowMemory => ({
  ...rule,
  keyColumns: [...rule.keyColumns].sort(),
  watchedColumns: rule.watchedColumns && [...rule.watchedColumns].sort(),
});

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, index) => name === other[index]);

/** Returns true if rows can be compared with the stored ones: same key columns, and a key that still exists. */
const isComparable = (head: StoredHead, rule: RowMemory, keys: KeyRing): boolean =>
  areSame(head.keyColumns, rule.keyColumns) && keys.byId(head.keyId) !== undefined;

/** Returns true if unchanged buckets can remain as stored. */
const isSameLayout = (before: MemoryHead, after: MemoryHead): boolean =>
  before.bucketBits === after.bucketBits &&
  before.hasKeys === after.hasKeys &&
  areSame(before.columns, after.columns);

function headAfter(compared: {
  readonly rule: RowMemory;
  readonly comparison: RowComparison;
  readonly domain: number;
  readonly keyId: string;
  readonly before: MemoryHead | undefined;
}): MemoryHead {
  const { rule, comparison, domain, keyId, before } = compared;
  const { rowCount, duplicateKeyCount } = comparison.seen();
  return {
    domain,
    keyId,
    keyColumns: rule.keyColumns,
    columns: comparison.columns(),
    rowCount,
    duplicateKeyCount,
    bucketBits: bucketBitsOf(rowCount, before?.bucketBits),
    hasKeys: rule.keepsKeys && rowCount <= keptKeysMax,
  };
}
