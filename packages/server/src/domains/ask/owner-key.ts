import type { Caller } from '../../platform/access/index.ts';

/** Whose a conversation is. A key acts for its owner. */
export const ownerKeyOf = ({ userId, hostUserId }: Caller): string | null =>
  userId !== null ? `user:${userId}` : hostUserId === undefined ? null : `host:${hostUserId}`;

/** Whose an answer is that an AI client asked for: it is in no list of people. */
export const clientKeyOf = ({ apiKeyId, userId, userName }: Caller): string =>
  `client:${apiKeyId === null ? (userId ?? userName) : `key ${apiKeyId}`}`;

/** The user whose it is; null: a host's, or an AI client's. */
export const userIdOf = (ownerKey: string): number | null =>
  ownerKey.startsWith('user:') ? Number(ownerKey.slice('user:'.length)) : null;
