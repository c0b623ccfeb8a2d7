import type { DefinitionKind, DefinitionObject } from '@svc/contract';
import * as contract from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database, Executor } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import { seesKind } from './planning/directory.ts';
import type { DefinitionsDeps } from './service.ts';
import { findRecord, findSlug } from './slug-store.ts';
import { findManaged } from './store.ts';

/** @throws Refusal 404 for a record that does not exist or that the caller does not see. */
export async function requireVisible(
  { rights, kindOf, visibleSources }: Pick<DefinitionsDeps, 'rights' | 'kindOf' | 'visibleSources'>,
  executor: Executor,
  caller: Caller,
  kind: DefinitionKind,
  id: number,
) {
  if (!seesKind(kindOf(kind), caller)) throw notFound();
  const record = await findRecord(executor, kind, id);
  if (!record) throw notFound();
  const projectId = kind === 'Project' ? id : record.projectId;
  // A caller who sees MCP settings sees the settings of every project.
  if (projectId !== null && kind !== 'McpProjectSettings')
    await rights.require(executor, caller, projectId, 'Read');
  if (kind === 'DataSource' && !(await visibleSources(caller)).has(id)) throw notFound();
  return { ...record, projectId };
}

/** Returns slug and manager of a record. */
export async function readObject(
  database: Database,
  kind: DefinitionKind,
  id: number,
): Promise<DefinitionObject> {
  const slug = await findSlug(database, kind, id);
  if (slug === undefined) throw notFound();
  const managed = await findManaged(database, kind, id);
  return {
    kind,
    id,
    slug,
    manager: managed?.manager ?? null,
    appliedAt: managed?.appliedAt.toISOString() ?? null,
    isManaged: managed?.isManaged ?? false,
  };
}

/** Returns the object of settings without a stored value. */
export const unsetObject = (kind: DefinitionKind, id: number): DefinitionObject => ({
  kind,
  id,
  slug: kind === 'Settings' ? 'service' : 'mcp',
  manager: null,
  appliedAt: null,
  isManaged: false,
});

/**
 * Returns true for settings without a stored value. They exist for every caller who sees them, but are no record yet.
 */
export async function isUnsetSettings(
  executor: Executor,
  kind: DefinitionKind,
  id: number,
  isSeen: boolean,
): Promise<boolean> {
  if (!isSeen || !contract.settingsKinds.some((each) => each === kind)) return false;
  if (await findRecord(executor, kind, id)) return false;
  return kind === 'McpProjectSettings' ? (await findRecord(executor, 'Project', id)) !== undefined : id === 1;
}
