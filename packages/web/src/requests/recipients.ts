import { listRecipients, type QueryOf } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** One page of the recipients. */
export const recipients = (query: QueryOf<typeof listRecipients>) => read(listRecipients, { query });
