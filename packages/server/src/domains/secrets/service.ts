import type { KeyRing, Randomness } from '../../platform/crypto/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { Logger } from '../../platform/log/index.ts';
import {
  countByKey,
  findSealedColumns,
  forgetOtherKeys,
  nameOf,
  type ResealFailure,
  readKeyState,
  recordCurrentKey,
  resealColumn,
} from '../../platform/secrets/index.ts';
import { type Audit, systemActor } from '../audit/index.ts';

/** Hash that cannot be recomputed under the current key, so it still needs an earlier key. */
export type KeyDependency = {
  readonly kind: 'Recipient' | 'ApprovalRequest';
  readonly id: number;
  readonly recipientId: number;
};

export type RotationProgress = { readonly done: number; readonly total: number };

export type RotationReport = {
  /** Id of the key that protects all values now, if they could be converted. */
  readonly keyId: string;
  /** Number of values that this run encrypted again. */
  readonly resealed: number;
  /** Number of values from before encryption that this run encrypted. */
  readonly encrypted: number;
  /** Number of hashes that this run recomputed. */
  readonly rehashed: number;
  /** Values that could not be decrypted: each must be entered again. */
  readonly failures: readonly ResealFailure[];
  /** Hashes that need an earlier key: decide the waiting change, or save the recipient again. */
  readonly unresolved: readonly KeyDependency[];
  /** Subscriptions whose rows are stored under an earlier key: each is converted when it runs. */
  readonly remembered: readonly number[];
  /** True: no value needs an earlier key. */
  readonly isComplete: boolean;
};

/** Parts of a rotation that only the domain of the records can do. */
export type KeyDependents = {
  /** Encrypts values from before encryption. Returns the number of values. */
  readonly encryptKept: () => Promise<number>;
  /** Recomputes keyed hashes under the current key. */
  readonly rehash: () => Promise<{
    readonly rehashed: number;
    readonly unresolved: readonly KeyDependency[];
  }>;
  /** Returns the subscriptions whose rows are stored under an earlier key. */
  readonly remembered: () => Promise<readonly number[]>;
};

export type SecretsDeps = {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly random: Randomness;
  readonly log: Logger;
  readonly audit: Audit;
  readonly dependents: KeyDependents;
};

export type SecretsService = ReturnType<typeof createSecrets>;

/**
 * Creates the service for the secrets of the whole database: the check of the configured keys, and the rotation to a
 * new key.
 */
export function createSecrets({ database, keys, random, log, audit, dependents }: SecretsDeps) {
  const isKnownKey = (keyId: string | null) => keyId !== null && keys.byId(keyId) !== undefined;

  /** Counts values by place, for keys that match a condition. */
  const count = async (matches: (keyId: string | null) => boolean): Promise<Record<string, number>> => {
    const countByPlace: Record<string, number> = {};
    for (const column of await findSealedColumns(database)) {
      const counts = await countByKey(database, column);
      const matching = counts
        .filter(({ keyId }) => matches(keyId))
        .reduce((sum, each) => sum + each.count, 0);
      if (matching > 0) countByPlace[nameOf(column)] = matching;
    }
    return countByPlace;
  };

  const total = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((sum, each) => sum + each, 0);

  return {
    /**
     * Logs at start which secrets the configured keys cannot open, or a rotation should encrypt again. Does not replace
     * the recorded key if the configured keys cannot open the secrets.
     */
    checkAtStart: async (): Promise<void> => {
      const state = await readKeyState(database, keys);
      if (state === 'Foreign') {
        const values = await count((keyId) => keyId !== null && !isKnownKey(keyId));
        log.error(
          { values },
          'Svc:EncryptionKey is not the key that the stored secrets were encrypted with: they cannot be read. Configure that key, or enter them again',
        );
        return;
      }
      await recordCurrentKey(database, keys);
      if (state === 'Rotating') {
        const values = await count((keyId) => keyId !== keys.current.id && isKnownKey(keyId));
        if (total(values) > 0)
          log.warn({ values }, 'stored secrets are encrypted under an earlier key: run `svc secrets rotate`');
      }
    },

    /**
     * Converts all sealed values and keyed hashes to the current key. A caller may stop it at any time and run it
     * again, also during normal operation of a service. Undecryptable values do not change and are reported.
     */
    rotate: async (
      options: {
        readonly onProgress?: (progress: RotationProgress) => void;
        readonly signal?: AbortSignal;
      } = {},
    ): Promise<RotationReport> => {
      const { onProgress = () => undefined, signal } = options;
      const encrypted = await dependents.encryptKept();
      const toDo = total(await count((keyId) => keyId !== keys.current.id));
      let resealed = 0;
      let done = 0;
      const failures: ResealFailure[] = [];
      onProgress({ done, total: toDo });
      for (const column of await findSealedColumns(database)) {
        for await (const batch of resealColumn(database, keys, random, column)) {
          resealed += batch.resealed;
          failures.push(...batch.failures);
          done = Math.min(toDo, done + batch.resealed + batch.failures.length);
          onProgress({ done, total: toDo });
          signal?.throwIfAborted();
        }
      }
      const { rehashed, unresolved } = await dependents.rehash();
      // A process with only the earlier key may have saved values in the meantime. The rotation is incomplete then.
      const remaining = total(await count((keyId) => keyId !== keys.current.id));
      const remembered = await dependents.remembered();
      const isComplete = remaining === 0 && unresolved.length === 0 && remembered.length === 0;
      if (isComplete) await forgetOtherKeys(database, keys);
      await audit.record(database, {
        by: systemActor,
        event: 'secrets.rotated',
        detail: {
          keyId: keys.current.id,
          resealed,
          encrypted,
          rehashed,
          failures: failures.length,
          unresolved: unresolved.length,
          remembered: remembered.length,
          isComplete,
        },
      });
      const came = { resealed, encrypted, rehashed, failures, unresolved, remembered };
      return { keyId: keys.current.id, ...came, isComplete };
    },
  };
}

/**
 * Refuses to start without a key if the database contains secrets, because a new key could not decrypt them.
 *
 * @throws Error that names the setting.
 */
export async function refuseLostKey(database: Database): Promise<void> {
  for (const column of await findSealedColumns(database)) {
    if ((await countByKey(database, column)).some(({ keyId }) => keyId !== null))
      throw new Error(
        'Svc:EncryptionKey is not set, but the database holds encrypted secrets. Set the key that they were encrypted with.',
      );
  }
}
