import {
  type ListQuery,
  type McpOverrides,
  type McpProjectSettings,
  type McpSettings,
  type McpSettingsChange,
  type McpValues,
  mcpFields,
  type Page,
} from '@svc/contract';
import type { Database, Executor } from '../../../platform/db/index.ts';
import { notFound, pageOf, pageRequest } from '../../../platform/http/index.ts';
import type { Audit, CallerActor } from '../../audit/index.ts';
import {
  clampedFields,
  effectiveValues,
  lockedFields,
  type McpGovernance,
  mcpDefaults,
  overridesOf,
  projectValues,
} from './resolve.ts';
import { assertNotLocked, type Change, type SaveOptions, saveSettings } from './save.ts';
import * as store from './store.ts';

type ToolName = { readonly name: string; readonly title: string; readonly description: string };

export type McpSettingsDeps = {
  readonly database: Database;
  readonly audit: Audit;
  readonly governance: McpGovernance;
  /** Available tools with their built-in descriptions. */
  readonly tools: readonly ToolName[];
};

export type McpSettingsService = ReturnType<typeof createMcpSettingsService>;

const changesList = { sortable: { id: 'c.id' }, byDefault: '-id', unique: 'c.id' };
const projectList = { sortable: store.projectSortable, byDefault: 'name', unique: 'p.id' };

/**
 * Creates the service for MCP settings of all projects and of one project. Refuses locked or capped values with 409.
 */
export function createMcpSettingsService(deps: McpSettingsDeps) {
  const { database, governance, tools } = deps;

  const governanceOf = (row: store.SettingsRow) => ({
    lockedFields: lockedFields(governance),
    clampedFields: clampedFields(governance, row.values),
    ceilings: { ...governance.ceilings },
    version: row.version,
    updatedAt: row.updatedAt?.toISOString() ?? null,
    updatedByUserName: row.updatedByUserName,
  });

  const get = async (executor: Executor): Promise<McpSettings> => {
    const row = await store.findSettings(executor, null);
    return {
      values: { ...mcpDefaults, ...row.values },
      effective: effectiveValues(governance, row.values),
      defaults: mcpDefaults,
      tools: [...tools],
      ...governanceOf(row),
    };
  };

  const getProject = async (executor: Executor, projectId: number): Promise<McpProjectSettings> => {
    const projectName = await store.findProjectName(executor, projectId);
    if (projectName === undefined) throw notFound();
    const global = await store.findSettings(executor, null);
    const row = await store.findSettings(executor, projectId);
    return {
      projectId,
      projectName,
      overrides: overridesOf(row.values),
      effective: projectValues(effectiveValues(governance, global.values, row.values)),
      ...governanceOf(row),
    };
  };

  return {
    /** Returns the texts for clients that supplement the built-in texts. */
    texts: async () => {
      const { values } = await store.findSettings(database, null);
      const { instruction, toolDescriptions } = effectiveValues(governance, values);
      return { instruction, toolDescriptions };
    },
    get: () => get(database),
    update: async (by: CallerActor, change: Partial<McpValues>, options: SaveOptions) => {
      await saveSettings(deps, by, null, change, options);
      return get(database);
    },
    getProject: (projectId: number) => getProject(database, projectId),
    updateProject: async (
      by: CallerActor,
      projectId: number,
      change: Partial<McpOverrides>,
      options: SaveOptions,
    ) => {
      await saveSettings(deps, by, projectId, change, options);
      return getProject(database, projectId);
    },

    /** @throws Refusal 409 `setting-locked` for a locked or capped member. */
    assertNotLocked: (change: Change): void => assertNotLocked(governance, change),

    listProjects: async (query: ListQuery & { search?: string }) => {
      const page = pageRequest(query, projectList);
      const { rows, totalCount } = await store.listProjectSettings(database, query.search || null, page);
      return pageOf(
        rows.map(({ projectId, name, values }) => ({
          projectId,
          name,
          overriddenFields: mcpFields.filter((field) => values?.[field] !== undefined),
        })),
        totalCount,
        page,
      );
    },

    listChanges: async (query: ListQuery & { projectId?: number }): Promise<Page<McpSettingsChange>> => {
      const page = pageRequest(query, changesList);
      const { rows, totalCount } = await store.listChanges(database, query.projectId ?? null, page);
      return pageOf(rows.map(presentChange), totalCount, page);
    },
  };
}

const presentChange = (row: store.ChangeRow): McpSettingsChange => ({
  id: row.id,
  projectId: row.projectId,
  projectName: row.projectName,
  changedAt: row.changedAt.toISOString(),
  changedByUserName: row.changedByUserName,
  changes: mcpFields
    .filter((field) => Object.hasOwn(row.after, field))
    .map((field) => ({ field, before: row.before[field] ?? null, after: row.after[field] ?? null })),
});
