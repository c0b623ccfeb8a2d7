import type { ProjectRight } from '@svc/contract';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { forbidden, notFound } from '../../platform/http/index.ts';
import { assertRight, reachOf, rightOfLevel } from '../projects/index.ts';
import { type DataSourceRow, findDataSource } from './store.ts';

/**
 * Returns a source when the caller has the `needed` right in one of its projects.
 *
 * @throws Refusal 404 when the source is not visible, 403 when it is visible and no project grants the right.
 */
export async function requireInProject(
  executor: Executor,
  caller: Caller,
  id: number,
  needed: ProjectRight,
): Promise<DataSourceRow> {
  const view = { reach: reachOf(caller), seesAll: holds(caller, 'DataSourceAdmin') };
  const row = await findDataSource(executor, view, id);
  if (!row) throw notFound();
  const right = rightOfLevel(row.right_level);
  if (!right)
    throw forbidden(
      'project-right-required',
      'Metadata is for those who read a project with this data source.',
    );
  assertRight(right, needed);
  return row;
}
