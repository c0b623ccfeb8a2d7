import { getRecipient, listRecipients, type QueryOf } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** One page of the recipients. */
export const recipients = (query: QueryOf<typeof listRecipients>) => read(listRecipients, { query });

/** One recipient. */
export const recipient = (id: number) => read(getRecipient, { params: { id } });

/** The recipients whose name holds a text, by name. */
export const findRecipients = (search: string, pageSize: string) =>
  recipients({ pageSize, sort: 'name', ...(search !== '' && { search }) });
