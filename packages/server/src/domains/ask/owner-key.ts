import type { Caller } from '../../platform/access/index.ts';

/** Returns the owner of a conversation. A key acts for its owner. */
export const ownerKeyOf = ({ userId, hostUserId }: Caller): string | null =>
  userId !== null ? `user:${userId}` : hostUserId === undefined ? null : `host:${hostUserId}`;

/** Returns the owner of an answer for an AI client. Lists of users exclude such answers. */
export const clientKeyOf = ({ apiKeyId, userId, userName }: Caller): string =>
  `client:${apiKeyId === null ? (userId ?? userName) : `key ${apiKeyId}`}`;

/** Returns the user id of an owner key. Null for a host's user and for an AI client. */
export const userIdOf = (ownerKey: string): number | null =>
  ownerKey.startsWith('user:') ? Number(ownerKey.slice('user:'.length)) : null;
