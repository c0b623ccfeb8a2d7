import type { AdminApiKey, ApiKey, ListQuery, Page } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { statementTime } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/index.ts';
import { pageOf, pageRequest } from '../../platform/http/index.ts';
import { type CreateKeyDeps, createCreateKey } from './changes/create.ts';
import { createReplaceKey } from './changes/replace.ts';
import { administratorOf, createRevokeAny, createRevokeOwn } from './changes/revoke.ts';
import type { LastUsed } from './last-used.ts';
import { presentAdminKey, presentKey } from './present.ts';
import { listKeys, revokeKeysOfOwner } from './store.ts';

export type ApiKeysService = ReturnType<typeof createApiKeysService>;

const ownSortable = {
  name: 'lower(k.name) collate "C"',
  prefix: 'k.prefix collate "C"',
  createdTime: 'k.created_time',
  lastUsedAt: 'k.last_used_at',
  expiresAt: 'k.expires_at',
};
const adminSortable = {
  ...ownSortable,
  revokedAt: 'k.revoked_at',
  ownerUserName: 'lower(u.user_name) collate "C"',
};
const list = { byDefault: '-createdTime', unique: 'k.id' };

/** Creates the service for API keys. The text of a key exists only in the response that creates it. */
export function createApiKeysService(deps: CreateKeyDeps & { readonly lastUsed: LastUsed }) {
  const { database, clock, lastUsed, rules } = deps;
  return {
    listOwn: async (caller: Caller, query: ListQuery): Promise<Page<ApiKey>> => {
      await lastUsed.flush();
      const page = pageRequest(query, { sortable: ownSortable, ...list });
      const filter = { ownerUserId: caller.userId, at: statementTime(clock) };
      const { keys, totalCount } =
        caller.userId === null ? { keys: [], totalCount: 0 } : await listKeys(database, filter, page);
      return pageOf(
        keys.map((key) => presentKey(key, rules)),
        totalCount,
        page,
      );
    },

    listAll: async (caller: Caller, query: ListQuery & { userId?: number }): Promise<Page<AdminApiKey>> => {
      await lastUsed.flush();
      const page = pageRequest(query, { sortable: adminSortable, ...list });
      const filter = { ownerUserId: query.userId ?? null, at: statementTime(clock) };
      const { keys, totalCount } = await listKeys(database, filter, page);
      const administrator = administratorOf(caller);
      return pageOf(
        keys.map((key) => presentAdminKey(key, rules, administrator)),
        totalCount,
        page,
      );
    },

    create: createCreateKey(deps),
    replace: createReplaceKey(deps),
    revokeOwn: createRevokeOwn(deps),
    revokeAny: createRevokeAny(deps),

    /**
     * Revokes all keys of a user, in the transaction that disables, re-enables or archives the user. Returns their
     * number.
     */
    revokeAllOf: (tx: Tx, ownerUserId: number, byUserId: number | null): Promise<number> =>
      revokeKeysOfOwner(tx, ownerUserId, { byUserId, at: statementTime(clock) }),
  };
}
