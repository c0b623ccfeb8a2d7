import { listRecipientUses } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** First 200 subscriptions that send to a recipient. */
export const usesOf = (id: number) => read(listRecipientUses, { params: { id }, query: { pageSize: '200' } });
