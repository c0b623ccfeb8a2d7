import type { ProjectRight } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Queryable } from '../../platform/db/index.ts';
import { reachOf, rightOfLevel } from './access.ts';
import { readableProjects } from './readable.ts';

/** Returns the given projects that a caller can read without the administrator's bypass. */
export async function readableWithoutBypass(
  executor: Queryable,
  caller: Caller,
  projectIds: readonly number[],
): Promise<readonly number[]> {
  const readable = readableProjects(reachOf(caller, { withoutBypass: true }), 2);
  const { rows } = await executor.query<{ project_id: number }>(
    `select r.project_id from (${readable.text}) r where r.project_id = any($1::int[])`,
    [projectIds, ...readable.values],
  );
  return rows.map((row) => row.project_id);
}

/** Returns the live projects within a caller's reach, with the right in each, ordered by name. */
export async function reachableProjects(
  executor: Queryable,
  caller: Caller,
): Promise<readonly { readonly projectId: number; readonly name: string; readonly right: ProjectRight }[]> {
  const readable = readableProjects(reachOf(caller), 1, ['p.name']);
  const { rows } = await executor.query<{ project_id: number; right_level: number; name: string }>(
    `select * from (${readable.text}) r order by r.name collate "C", r.project_id`,
    [...readable.values],
  );
  return rows.flatMap((row) => {
    const right = rightOfLevel(row.right_level);
    return right === null ? [] : [{ projectId: row.project_id, name: row.name, right }];
  });
}
