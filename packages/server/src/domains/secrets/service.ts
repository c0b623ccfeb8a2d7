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

/** A hash that cannot be made anew under the current key: it still needs an earlier one. */
export type KeyDependency = {
  readonly kind: 'Recipient' | 'ApprovalRequest';
  readonly id: number;
  readonly recipientId: number;
};

/** How far a rotation is. */
export type RotationProgress = { readonly done: number; readonly total: number };

/** What a rotation came to. */
export type RotationReport = {
  /** Id of the key that everything is under now, as far as it could be. */
  readonly keyId: string;
  /** Values that this run encrypted anew. */
  readonly resealed: number;
  /** Values kept from before encryption that this run encrypted. */
  readonly encrypted: number;
  /** Hashes that this run made anew. */
  readonly rehashed: number;
  /** Values that could not be decrypted: each must be entered again. */
  readonly failures: readonly ResealFailure[];
  /** Hashes that need an earlier key: decide the change that waits, or save the recipient back. */
  readonly unresolved: readonly KeyDependency[];
  /** Subscriptions whose rows are remembered under an earlier key: each moves over when it runs. */
  readonly remembered: readonly number[];
  /** Nothing needs an earlier key any more. */
  readonly isComplete: boolean;
};

/** Parts of a rotation that only the domain of the records can do. */
export type KeyDependents = {
  /** Encrypts what is kept from before encryption; returns how many values. */
  readonly encryptKept: () => Promise<number>;
  /** Makes keyed hashes anew under the current key. */
  readonly rehash: () => Promise<{
    readonly rehashed: number;
    readonly unresolved: readonly KeyDependency[];
  }>;
  /** Subscriptions that still remember rows under an earlier key. */
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

/** The secrets of the whole database: whether the configured keys open them, and their way under a new key. */
export function createSecrets({ database, keys, random, log, audit, dependents }: SecretsDeps) {
  const isKnownKey = (keyId: string | null) => keyId !== null && keys.byId(keyId) !== undefined;

  /** Values by place that a condition on their key holds for. */
  const count = async (matches: (keyId: string | null) => boolean): Promise<Record<string, number>> => {
    const found: Record<string, number> = {};
    for (const column of await findSealedColumns(database)) {
      const counts = await countByKey(database, column);
      const matching = counts
        .filter(({ keyId }) => matches(keyId))
        .reduce((sum, each) => sum + each.count, 0);
      if (matching > 0) found[nameOf(column)] = matching;
    }
    return found;
  };

  const total = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((sum, each) => sum + each, 0);

  return {
    /** Says once at start what the configured keys cannot open, or should be encrypted anew. Never writes over a key. */
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
     * Brings everything that is sealed, and every keyed hash, under the current key. May be stopped at any moment and
     * run again, also beside a running service; what cannot be decrypted stays as it is and is reported.
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
      // Saved meanwhile by a process that still has the earlier key alone: then it is not over.
      const left = total(await count((keyId) => keyId !== keys.current.id));
      const remembered = await dependents.remembered();
      const isComplete = left === 0 && unresolved.length === 0 && remembered.length === 0;
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
 * Refuses a start without a key on a database that holds secrets: a key made silently could not read them.
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
