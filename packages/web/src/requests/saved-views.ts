import { listSavedViews } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** Saved views of a list, of the signed-in user. */
export const savedViews = (list: string) => read(listSavedViews, { query: { list } });
