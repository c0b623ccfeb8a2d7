import type { Caller } from '../../../platform/access/index.ts';

/** Returns the key for the limits of a caller: an API key, a person, or a system of the mapping. */
export function callerKeyOf({ apiKeyId, userId, userName }: Caller): string {
  if (apiKeyId !== null) return `key ${apiKeyId}`;
  return userId === null ? `system ${userName}` : `user ${userId}`;
}
