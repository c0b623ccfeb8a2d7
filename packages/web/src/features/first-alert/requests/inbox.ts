import { getInbox } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Inbox of the host, if the host has one. */
export const inbox = read(getInbox, {});
