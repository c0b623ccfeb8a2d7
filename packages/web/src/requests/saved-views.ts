import { listSavedViews } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** The reader's own views of a list. */
export const savedViews = (list: string) => read(listSavedViews, { query: { list } });
