import { setImmediate } from 'node:timers/promises';
import type { RowMemory } from '@svc/contract';
import type { FingerprintRequest } from '../../doors/run-sql/index.ts';
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

/** Rows whose masked keys are kept at most. */
const keptKeysMax = 100_000;

const keysPlace = (id: number) => ({ table: 'row_memory_buckets', column: 'keys_sealed', rowId: id });

/** The rows that a subscription knows, read for one run. */
export type OpenMemory = Pick<RowComparison, 'apply' | 'finding'> & {
  /** What the run-SQL door is asked for. */
  readonly fingerprints: FingerprintRequest;
  /** No row is known yet, or not by these columns. */
  readonly isBaseline: boolean;
  /** Keeps what the run found until its end, in the transaction that keeps its outcome. */
  readonly stage: (tx: Executor, runId: number) => Promise<void>;
};

export type RowMemories = ReturnType<typeof createRowMemories>;

/** The rows that subscriptions remember: keyed hashes alone, from which no cell can be read. */
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

  /** Keys that cannot be read are none: what they name is counted all the same. */
  const openKeys = (id: number, sealed: string): (MaskedKey | null)[] => {
    const opened = open(keys, sealed, keysPlace(id));
    // Written by `stage`, and authenticated.
    return opened.ok ? (JSON.parse(opened.secret.reveal()) as (MaskedKey | null)[]) : [];
  };

  /** Writes what a run found as buckets that are not known yet. */
  const stage = async (
    tx: Executor,
    { subscriptionId, runId }: { readonly subscriptionId: number; readonly runId: number },
    found: { readonly head: MemoryHead; readonly table: KeyTable; readonly replacesAll: boolean },
  ): Promise<void> => {
    const { head, table, replacesAll } = found;
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
    /** Reads what a subscription knows. */
    open: async (subscriptionId: number, given: RowMemory): Promise<OpenMemory> => {
      const rule = inOneOrder(given);
      const stored = await readHead(database, subscriptionId);
      const head = stored && isComparable(stored, rule, keys) ? stored : undefined;
      const known = head ? await loadKnown(subscriptionId, rule) : null;
      const current = keys.current.id;
      // Under an earlier key the rows are looked up by that one, and remembered anew by the current.
      const next =
        known !== null && head?.keyId === current
          ? known
          : createKeyTable({ rowsMax, keepsKeys: rule.keepsKeys });
      const comparison = compareRows(
        {
          ...{ rule, known, next, keyIds: { current, known: head?.keyId ?? current } },
          comparesContents: (columns) => head !== undefined && areSame(head.columns, columns),
        },
        () => setImmediate(),
      );
      const domain = stored?.domain ?? subscriptionId;
      return {
        apply: comparison.apply,
        finding: comparison.finding,
        fingerprints: comparison.fingerprints(domain),
        isBaseline: known === null,
        stage: async (tx, runId) => {
          // Reset, changed or moved meanwhile: what was compared with is no more.
          const present = await readHead(tx, subscriptionId, true);
          if (present?.runId !== stored?.runId || (present?.domain ?? domain) !== domain) return;
          const after = headAfter({ rule, comparison, domain, keyId: current, before: head });
          const replacesAll = next !== known || !head || !isSameLayout(head, after);
          await stage(tx, { subscriptionId, runId }, { head: after, table: next, replacesAll });
        },
      };
    },
  };
}

const idsAtOnce = 64;

/** The order in which columns are named says nothing. */
const inOneOrder = (rule: RowMemory): RowMemory => ({
  ...rule,
  keyColumns: [...rule.keyColumns].sort(),
  watchedColumns: rule.watchedColumns && [...rule.watchedColumns].sort(),
});

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, index) => name === other[index]);

/** Whether rows can be looked up in what is known: by the same columns, under a key that is still there. */
const isComparable = (head: StoredHead, rule: RowMemory, keys: KeyRing): boolean =>
  areSame(head.keyColumns, rule.keyColumns) && keys.byId(head.keyId) !== undefined;

/** Whether buckets that did not change can stay as they are. */
const isSameLayout = (before: MemoryHead, after: MemoryHead): boolean =>
  before.bucketBits === after.bucketBits &&
  before.hasKeys === after.hasKeys &&
  areSame(before.columns, after.columns);

function headAfter(found: {
  readonly rule: RowMemory;
  readonly comparison: RowComparison;
  readonly domain: number;
  readonly keyId: string;
  readonly before: MemoryHead | undefined;
}): MemoryHead {
  const { rule, comparison, domain, keyId, before } = found;
  const { rowCount, duplicateKeyCount } = comparison.seen();
  return {
    ...{ domain, keyId, keyColumns: rule.keyColumns, columns: comparison.columns() },
    ...{ rowCount, duplicateKeyCount, bucketBits: bucketBitsOf(rowCount, before?.bucketBits) },
    hasKeys: rule.keepsKeys && rowCount <= keptKeysMax,
  };
}
