import { listRecipientUses } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Subscriptions that send to a recipient: the first two hundred. */
export const usesOf = (id: number) => read(listRecipientUses, { params: { id }, query: { pageSize: '200' } });
