import { getAnyApiKeyUses, getApiKeyUses } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Use of a key in the last 30 days. Administrators can read every key, other users only their own keys. */
export const keyUses = (id: number, isOwn: boolean) =>
  read(isOwn ? getApiKeyUses : getAnyApiKeyUses, { params: { id } });
