import { getProject, listProjectDataSources, listProjects, type QueryOf } from '@svc/contract';
import { read } from '../lib/server-state.ts';

/** One page of the projects that the caller can read. */
export const projects = (query: QueryOf<typeof listProjects>) => read(listProjects, { query });

/** One page of the data sources that are linked to a project. */
export const linkedSources = (id: number, query: QueryOf<typeof listProjectDataSources> = {}) =>
  read(listProjectDataSources, { params: { id }, query });

export const project = (id: number) => read(getProject, { params: { id } });

/** Projects whose name contains the text, sorted by name. */
export const findProjects = (search: string, pageSize: string) =>
  projects({ pageSize, sort: 'name', ...(search !== '' && { search }) });
