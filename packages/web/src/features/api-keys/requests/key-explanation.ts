import { explainAnyApiKey, explainApiKey } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** What a key may do and which rule decides: one's own, or anybody's for administrators. */
export const keyExplanation = (id: number, isOwn: boolean) =>
  read(isOwn ? explainApiKey : explainAnyApiKey, { params: { id } });
