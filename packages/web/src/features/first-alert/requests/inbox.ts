import { getInbox } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** The host's own inbox, where it keeps one. */
export const inbox = read(getInbox, {});
