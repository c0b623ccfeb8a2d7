import type { Executor, Tx } from '../../platform/db/index.ts';

/** An expiring key whose owner must be notified. */
export type DueNotice = {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly endsAt: Date;
  readonly endsWithinDays: number;
  readonly ownerUserId: number;
};

/** Condition for a notice: the key is neither replaced nor revoked, and its owner can use it. */
const canBeTold = `k.revoked_at is null and k.replaced_by_key_id is null
          and u.is_enabled and u.archived_at is null and u.api_key_generation <= k.owner_generation`;

/**
 * Claims due notices and marks them as sent. Skips replaced keys, and keys of owners who cannot use them. Skips rows that
 * another process has locked.
 */
export async function claimNotices(
  tx: Tx,
  options: { readonly at: Date | null; readonly enforcedDays: number | null; readonly limit: number },
): Promise<DueNotice[]> {
  const { rows } = await tx.query<DueNotice>(
    `with ending as (
       select k.id, e.ends_at, u.id as owner_user_id,
              case when e.ends_at <= t.at + interval '1 day' then 1
                   when e.ends_at <= t.at + interval '3 days' then 3 else 14 end as days
         from (select coalesce($1::timestamptz, now()) as at) t
         cross join svc.api_keys k
         cross join lateral (select coalesce(k.expires_at, k.created_time + make_interval(days => $2::int)) as ends_at) e
         join svc.users u on u.id = k.owner_user_id
        where ${canBeTold}
          and e.ends_at > t.at and e.ends_at <= t.at + interval '14 days'),
     due as (
       select k.id, ending.ends_at, ending.owner_user_id, ending.days
         from ending join svc.api_keys k on k.id = ending.id
        where k.expiry_noticed_days is null or k.expiry_noticed_days > ending.days
        order by ending.ends_at, k.id limit $3
          for update of k skip locked)
     update svc.api_keys k set expiry_noticed_days = due.days from due where k.id = due.id
     returning k.id, k.name, k.prefix, due.ends_at as "endsAt", due.days as "endsWithinDays",
       due.owner_user_id as "ownerUserId"`,
    [options.at, options.enforcedDays, options.limit],
  );
  return rows;
}

/** Returns the current email address for a claimed notice. Null: the owner has no address, or must no longer be notified. */
export async function addressToTell(executor: Executor, keyId: number): Promise<string | null> {
  const { rows } = await executor.query<{ email: string | null }>(
    `select u.email from svc.api_keys k join svc.users u on u.id = k.owner_user_id where k.id = $1 and ${canBeTold}`,
    [keyId],
  );
  return rows[0]?.email ?? null;
}
