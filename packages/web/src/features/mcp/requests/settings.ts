import {
  getMcpProjectSettings,
  getMcpSettings,
  listMcpProjects,
  listMcpSettingsChanges,
  listQueryMcpTools,
  type QueryOf,
} from '@svc/contract';
import { read } from '../../../lib/server-state.ts';

/** What holds for all projects. */
export const mcpSettings = read(getMcpSettings, {});
/** What one project sets for itself. */
export const mcpProjectSettings = (projectId: number) =>
  read(getMcpProjectSettings, { params: { projectId } });
/** Projects to choose from, with what they set. */
export const mcpProjects = (query: QueryOf<typeof listMcpProjects>) => read(listMcpProjects, { query });
/** Who changed what. */
export const mcpChanges = (query: QueryOf<typeof listMcpSettingsChanges>) =>
  read(listMcpSettingsChanges, { query });
/** Queries that AI clients are offered as tools of their own. */
export const publishedQueries = (query: QueryOf<typeof listQueryMcpTools>) =>
  read(listQueryMcpTools, { query });
