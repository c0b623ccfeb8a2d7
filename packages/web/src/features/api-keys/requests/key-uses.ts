import { getAnyApiKeyUses, getApiKeyUses } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** What a key was used for in 30 days: one's own, or anybody's for administrators. */
export const keyUses = (id: number, isOwn: boolean) =>
  read(isOwn ? getApiKeyUses : getAnyApiKeyUses, { params: { id } });
