import type { Queryable } from '../../platform/db/index.ts';

export type SignInTransaction = {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly returnTo: string;
};

export async function insertTransaction(
  executor: Queryable,
  tokenHash: Buffer,
  transaction: SignInTransaction,
  life: { seconds: number; at: Date | null },
): Promise<void> {
  await executor.query(
    `insert into svc.sign_in_transactions (token_hash, state, nonce, code_verifier, return_to, expires_at)
     values ($1, $2, $3, $4, $5, coalesce($7, now()) + make_interval(secs => $6))`,
    [
      tokenHash,
      transaction.state,
      transaction.nonce,
      transaction.codeVerifier,
      transaction.returnTo,
      life.seconds,
      life.at,
    ],
  );
}

/** Deletes a transaction, so that only one callback can use it. Returns it unless it has expired. */
export async function takeTransaction(
  executor: Queryable,
  tokenHash: Buffer,
  at: Date | null,
): Promise<SignInTransaction | undefined> {
  const { rows } = await executor.query<SignInTransaction & { isLive: boolean }>(
    `delete from svc.sign_in_transactions where token_hash = $1
     returning state, nonce, code_verifier as "codeVerifier", return_to as "returnTo",
       expires_at > coalesce($2, now()) as "isLive"`,
    [tokenHash, at],
  );
  return rows[0]?.isLive ? rows[0] : undefined;
}

export async function deleteExpiredTransactions(executor: Queryable): Promise<void> {
  await executor.query('delete from svc.sign_in_transactions where expires_at < now()');
}
