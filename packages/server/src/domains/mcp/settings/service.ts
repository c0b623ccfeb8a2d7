import { isDeepStrictEqual } from 'node:util';
import {
  type ListQuery,
  type McpField,
  type McpOverrides,
  type McpProjectSettings,
  type McpSettings,
  type McpSettingsChange,
  type McpValues,
  mcpFields,
  type Page,
} from '@svc/contract';
import { parsePattern } from '../../../gateways/run-sql/index.ts';
import type { Database, Executor, Tx } from '../../../platform/db/index.ts';
import {
  badRequest,
  changedMeanwhile,
  notFound,
  pageOf,
  pageRequest,
  settingLocked,
} from '../../../platform/http/index.ts';
import type { Audit, CallerActor } from '../../audit/index.ts';
import { assertUnmanaged } from '../../managed-records/index.ts';
import {
  clampedFields,
  effectiveValues,
  lockAgainst,
  lockedFields,
  type McpGovernance,
  mcpDefaults,
  overridesOf,
  projectValues,
  type StoredValues,
} from './resolve.ts';
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

type SaveOptions = {
  /** Refuses the change with 412 when the settings have another version. */
  readonly expectedVersion?: number | undefined;
  /** Fields to reset to their default or inherited value. */
  readonly unset?: readonly McpField[];
  /** Performs further writes in the same transaction. */
  readonly within?: (tx: Tx) => Promise<void>;
};

type Written = {
  readonly projectId: number | null;
  readonly row: store.SettingsRow;
  readonly after: StoredValues;
  readonly fields: readonly McpField[];
};

type Change = Readonly<{ [K in McpField]?: unknown }>;

const changesList = { sortable: { id: 'c.id' }, byDefault: '-id', unique: 'c.id' };
const projectList = { sortable: store.projectSortable, byDefault: 'name', unique: 'p.id' };

/**
 * Creates the service for MCP settings of all projects and of one project. Refuses locked or capped values with 409.
 */
export function createMcpSettingsService({ database, audit, governance, tools }: McpSettingsDeps) {
  const governed = (row: store.SettingsRow) => ({
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
      ...governed(row),
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
      ...governed(row),
    };
  };

  const assertSound = (change: Change): void => {
    const locked = lockAgainst(governance, change);
    if (locked) throw settingLocked(locked.field, locked.detail);
    const toolNames = new Set(tools.map((tool) => tool.name));
    for (const [index, pattern] of textsOf(change.piiPatterns).entries()) {
      try {
        parsePattern(pattern);
      } catch (error) {
        const message = error instanceof Error ? error.message : 'is not a pattern';
        throw badRequest('invalid-pattern', message, [{ path: `/piiPatterns/${index}`, message }]);
      }
    }
    const named = [...textsOf(change.disabledTools), ...Object.keys(change.toolDescriptions ?? {})];
    const unknown = named.find((name) => !toolNames.has(name));
    if (unknown !== undefined) throw badRequest('unknown-tool', `There is no tool called ${unknown}.`);
  };

  /** Merges a change into the stored settings and records its author. Writes nothing when no value changes. */
  const save = (
    by: CallerActor,
    projectId: number | null,
    change: Change,
    { expectedVersion, unset = [], within }: SaveOptions,
  ): Promise<void> =>
    database.transaction(async (tx) => {
      if (projectId !== null && (await store.findProjectName(tx, projectId)) === undefined) throw notFound();
      assertSound(change);
      const row = await store.lockSettings(tx, projectId);
      const isGlobal = projectId === null;
      await assertUnmanaged(tx, by, isGlobal ? 'McpSettings' : 'McpProjectSettings', projectId ?? 1);
      if (expectedVersion !== undefined && expectedVersion !== row.version) throw changedMeanwhile();
      const after = without(laidOver(row.values, change, isGlobal), unset);
      const fields = mcpFields.filter((field) => !isDeepStrictEqual(row.values[field], after[field]));
      if (fields.length > 0) await write(tx, by, { projectId, row, after, fields });
      await within?.(tx);
    });

  const write = async (
    tx: Tx,
    by: CallerActor,
    { projectId, row, after, fields }: Written,
  ): Promise<void> => {
    await store.saveSettings(tx, projectId, after, by.caller.userId);
    await store.insertChange(tx, {
      projectId,
      userId: by.caller.userId,
      before: picked(row.values, fields),
      after: picked(after, fields),
    });
    await audit.record(tx, {
      event: 'settings.mcp_changed',
      by,
      ...(projectId !== null && { projectId }),
      detail: { fields, before: picked(row.values, fields), after: picked(after, fields) },
    });
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
      await save(by, null, change, options);
      return get(database);
    },
    getProject: (projectId: number) => getProject(database, projectId),
    updateProject: async (
      by: CallerActor,
      projectId: number,
      change: Partial<McpOverrides>,
      options: SaveOptions,
    ) => {
      await save(by, projectId, change, options);
      return getProject(database, projectId);
    },

    /** @throws Refusal 409 `setting-locked` for a locked or capped member. */
    assertNotLocked: (change: Change): void => {
      const locked = lockAgainst(governance, change);
      if (locked) throw settingLocked(locked.field, locked.detail);
    },

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

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

/** Merges a change. In a project, null means inheritance; for all projects, null is an ordinary value. */
function laidOver(stored: StoredValues, change: Change, isGlobal: boolean): StoredValues {
  const merged: Record<string, unknown> = { ...stored };
  for (const field of mcpFields) {
    const value = change[field];
    if (value === undefined) continue;
    if (value === null && !isGlobal) delete merged[field];
    else merged[field] = value;
  }
  // Every member comes from a body that its schema has accepted.
  return merged as StoredValues;
}

const without = (values: StoredValues, fields: readonly McpField[]): StoredValues =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !fields.some((each) => each === field)));

const picked = (values: StoredValues, fields: readonly McpField[]) =>
  Object.fromEntries(fields.map((field) => [field, values[field] ?? null]));

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
