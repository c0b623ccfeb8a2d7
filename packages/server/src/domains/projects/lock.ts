import type { AccessMode, ProjectRight } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { changedMeanwhile, forbidden, notFound } from '../../platform/http/index.ts';
import { includesRight, reachOf, rightOfLevel } from './access.ts';
import { findRightLevel, lockProject } from './store.ts';

const sentences: Readonly<Record<ProjectRight, string>> = {
  Read: 'This needs the right to read in the project.',
  Write: 'This needs the right to write in the project: Editor or above there.',
  Manage: 'This needs to be a ProjectAdmin of the project, or an Admin.',
};

/** Throws 403 unless `right` includes `needed`. */
export function assertRight(right: ProjectRight | null, needed: ProjectRight): void {
  if (includesRight(right, needed)) return;
  throw forbidden('project-right-required', sentences[needed]);
}

/** Throws 412 when the caller expects another version than the record has. */
export function assertVersion(version: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== version) throw changedMeanwhile();
}

/**
 * Returns the caller's right in a project. Throws 404 when the project is missing, archived or not readable. Throws 403
 * when the project is readable but the right does not include `needed`.
 */
export async function requireRight(
  executor: Executor,
  caller: Caller,
  projectId: number,
  needed: ProjectRight,
): Promise<ProjectRight> {
  const level = await findRightLevel(executor, reachOf(caller), projectId);
  const right = rightOfLevel(level);
  if (right === null) throw notFound();
  assertRight(right, needed);
  return right;
}

/**
 * Locks a project for a change, then checks the right. Access mode and memberships cannot change until the transaction
 * ends. Throws 404, 403 and 412.
 */
export async function lockForChange(
  tx: Tx,
  caller: Caller,
  projectId: number,
  needed: ProjectRight,
  expectedVersion?: number,
): Promise<{ accessMode: AccessMode; version: number }> {
  const project = await lockProject(tx, projectId);
  if (!project) throw notFound();
  await requireRight(tx, caller, projectId, needed);
  assertVersion(project.version, expectedVersion);
  return { accessMode: project.access_mode, version: project.version };
}
