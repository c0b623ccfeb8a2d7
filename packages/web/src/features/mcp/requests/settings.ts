import {
  getMcpProjectSettings,
  getMcpSettings,
  listMcpProjects,
  listMcpSettingsChanges,
  listQueryMcpTools,
  type QueryOf,
} from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** Settings of all projects. */
export const mcpSettings = read(getMcpSettings, {});
/** Settings of one project. */
export const mcpProjectSettings = (projectId: number) =>
  read(getMcpProjectSettings, { params: { projectId } });
/** Projects for the choice, with their settings. */
export const mcpProjects = (query: QueryOf<typeof listMcpProjects>) => read(listMcpProjects, { query });
/** History of changes to the settings. */
export const mcpChanges = (query: QueryOf<typeof listMcpSettingsChanges>) =>
  read(listMcpSettingsChanges, { query });
/** Queries that are published as tools for AI clients. */
export const publishedQueries = (query: QueryOf<typeof listQueryMcpTools>) =>
  read(listQueryMcpTools, { query });
