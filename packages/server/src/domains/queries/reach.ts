import type { QueryStepInput } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { notFound, notPossible } from '../../platform/http/index.ts';
import type { ProjectRights } from '../projects/index.ts';
import { type FoundQuery, findQuery, unlinkedSources } from './store.ts';

/** Returns the query if the caller may read its project. Throws 404 for other callers. */
export async function readableQuery(
  rights: ProjectRights,
  executor: Executor,
  caller: Caller,
  id: number,
): Promise<{ row: FoundQuery; canEdit: boolean }> {
  const row = await findQuery(executor, id);
  if (!row) throw notFound();
  const right = await rights.require(executor, caller, row.projectId, 'Read');
  return { row, canEdit: right !== 'Read' };
}

/** Returns the query if the caller may change it. Throws 404 or 403 for other callers. */
export async function writableQuery(
  rights: ProjectRights,
  executor: Executor,
  caller: Caller,
  id: number,
): Promise<FoundQuery> {
  const row = await findQuery(executor, id);
  if (!row) throw notFound();
  await rights.require(executor, caller, row.projectId, 'Write');
  return row;
}

/** Refuses steps whose data source is not linked to the project. A missing data source gets the same response. */
export async function requireLinked(
  executor: Executor,
  projectId: number,
  steps: readonly QueryStepInput[],
): Promise<void> {
  const unlinked = await unlinkedSources(
    executor,
    projectId,
    steps.map((step) => step.dataSourceId),
  );
  if (unlinked.length === 0) return;
  const errors = steps.flatMap((step, index) =>
    unlinked.includes(step.dataSourceId)
      ? [{ path: `/steps/${index}/dataSourceId`, message: 'is not linked to this project' }]
      : [],
  );
  throw notPossible(
    'step-source-not-linked',
    'A step reads a data source that is not linked to this project. Link it to the project first.',
    errors,
  );
}
