import { getRecipient, listRecipients, type QueryOf } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** One page of the recipients. */
export const recipients = (query: QueryOf<typeof listRecipients>) => read(listRecipients, { query });

export const recipient = (id: number) => read(getRecipient, { params: { id } });

/** Recipients whose name contains the text, sorted by name. */
export const findRecipients = (search: string, pageSize: string) =>
  recipients({ pageSize, sort: 'name', ...(search !== '' && { search }) });
