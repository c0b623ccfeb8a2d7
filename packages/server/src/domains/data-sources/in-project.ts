import type { ProjectRight } from '@svc/contract';
import { type Caller, holds } from '../../platform/access/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { forbidden, notFound } from '../../platform/http/index.ts';
import { assertRight, reachOf, rightOfLevel } from '../projects/index.ts';
import { type DataSourceRow, findDataSource } from './store.ts';

/**
 * A source whose schema the caller may know of: in a project where they have `needed`.
 *
 * @throws Refusal 404 when it is not in view, 403 when it is and no project gives the right.
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
