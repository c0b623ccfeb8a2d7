import { listProjectMembers, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

export const projectMembers = (id: number, query: QueryOf<typeof listProjectMembers> = {}) =>
  read(listProjectMembers, { params: { id }, query });
