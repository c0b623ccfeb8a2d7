import { explainAnyApiKey, explainApiKey } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/**
 * Rights of a key and the rule that decides them. Administrators can read every key, other users only their own keys.
 */
export const keyExplanation = (id: number, isOwn: boolean) =>
  read(isOwn ? explainApiKey : explainAnyApiKey, { params: { id } });
