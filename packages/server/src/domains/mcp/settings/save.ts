import { isDeepStrictEqual } from 'node:util';
import { type McpField, mcpFields } from '@svc/contract';
import { parsePattern } from '../../../gateways/run-sql/index.ts';
import type { Tx } from '../../../platform/db/index.ts';
import { badRequest, changedMeanwhile, notFound, settingLocked } from '../../../platform/http/index.ts';
import type { Audit, CallerActor } from '../../audit/index.ts';
import { assertUnmanaged } from '../../managed-records/index.ts';
import { lockAgainst, type McpGovernance, type StoredValues } from './resolve.ts';
import type { McpSettingsDeps } from './service.ts';
import * as store from './store.ts';

export type Change = Readonly<{ [K in McpField]?: unknown }>;

export type SaveOptions = {
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

/** @throws Refusal 409 `setting-locked` for a locked or capped member. */
export function assertNotLocked(governance: McpGovernance, change: Change): void {
  const locked = lockAgainst(governance, change);
  if (locked) throw settingLocked(locked.field, locked.detail);
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

/** Requires unlocked members, valid patterns and existing tools. */
const assertValid = (
  { governance, tools }: Pick<McpSettingsDeps, 'governance' | 'tools'>,
  change: Change,
): void => {
  assertNotLocked(governance, change);
  const toolNames = new Set(tools.map((tool) => tool.name));
  for (const [index, pattern] of textsOf(change.piiPatterns).entries()) {
    try {
      parsePattern(pattern);
    } catch (error) {
      const message = error instanceof Error ? error.message : 'is not a pattern';
      throw badRequest('invalid-pattern', message, [{ path: `/piiPatterns/${index}`, message }]);
    }
  }
  const mentionedNames = [...textsOf(change.disabledTools), ...Object.keys(change.toolDescriptions ?? {})];
  const unknown = mentionedNames.find((name) => !toolNames.has(name));
  if (unknown !== undefined) throw badRequest('unknown-tool', `There is no tool called ${unknown}.`);
};

/** Merges a change. In a project, null means inheritance; for all projects, null is an ordinary value. */
function merged(stored: StoredValues, change: Change, isGlobal: boolean): StoredValues {
  const values: Record<string, unknown> = { ...stored };
  for (const field of mcpFields) {
    const value = change[field];
    if (value === undefined) continue;
    if (value === null && !isGlobal) delete values[field];
    else values[field] = value;
  }
  // Every member comes from a body that its schema has accepted.
  return values as StoredValues;
}

const without = (values: StoredValues, fields: readonly McpField[]): StoredValues =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !fields.some((each) => each === field)));

const picked = (values: StoredValues, fields: readonly McpField[]) =>
  Object.fromEntries(fields.map((field) => [field, values[field] ?? null]));

const write = async (
  audit: Audit,
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

/** Merges a change into the stored settings and records its author. Writes nothing when no value changes. */
export const saveSettings = (
  deps: McpSettingsDeps,
  by: CallerActor,
  projectId: number | null,
  change: Change,
  { expectedVersion, unset = [], within }: SaveOptions,
): Promise<void> =>
  deps.database.transaction(async (tx) => {
    if (projectId !== null && (await store.findProjectName(tx, projectId)) === undefined) throw notFound();
    assertValid(deps, change);
    const row = await store.lockSettings(tx, projectId);
    const isGlobal = projectId === null;
    await assertUnmanaged(tx, by, isGlobal ? 'McpSettings' : 'McpProjectSettings', projectId ?? 1);
    if (expectedVersion !== undefined && expectedVersion !== row.version) throw changedMeanwhile();
    const after = without(merged(row.values, change, isGlobal), unset);
    const fields = mcpFields.filter((field) => !isDeepStrictEqual(row.values[field], after[field]));
    if (fields.length > 0) await write(deps.audit, tx, by, { projectId, row, after, fields });
    await within?.(tx);
  });
