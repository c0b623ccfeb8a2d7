import type { Caller } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/db/index.ts';
import type { Actor, Audit } from '../../audit/index.ts';
import type { PasswordHashing, PasswordPolicy } from '../../passwords/index.ts';

/** Caller who manages users. */
export type Administrator = Actor & { readonly caller: Caller };

export type UsersDeps = {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly hashing: PasswordHashing;
  readonly policy: PasswordPolicy;
  /** Issuers of external users. A single issuer is the default. */
  readonly issuers: readonly string[];
  /** Revokes the remaining keys of a user in this transaction. Returns their number. */
  readonly revokeKeys: (tx: Tx, userId: number, byUserId: number | null) => Promise<number>;
  /** Ends all sessions of a user in this transaction. */
  readonly endSessions: (
    tx: Tx,
    userId: number,
    reason: 'SignedOutEverywhere' | 'UserChanged',
  ) => Promise<unknown>;
  /** Suspends all sessions of a user in this transaction. */
  readonly suspendSessions: (tx: Tx, userId: number) => Promise<void>;
};
