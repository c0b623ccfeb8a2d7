import { listProjects, type QueryOf } from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** One page of the projects that the caller can read. */
export const projects = (query: QueryOf<typeof listProjects>) => read(listProjects, { query });
