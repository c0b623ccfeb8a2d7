import type { ProjectRight } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { type Executor, named } from '../../platform/db/index.ts';
import { reachOf, rightOfLevel } from './access.ts';
import { requireRight } from './lock.ts';
import { readableProjects } from './readable.ts';
import { findRightLevel } from './store.ts';

/** What other domains ask about a caller's reach into projects. */
export type ProjectRights = {
  /** Ids of the projects that the caller can read; null: every one. */
  readonly readableIds: (executor: Executor, caller: Caller) => Promise<readonly number[] | null>;
  /** The caller's right in a project; null: missing, archived or not readable. */
  readonly rightIn: (executor: Executor, caller: Caller, projectId: number) => Promise<ProjectRight | null>;
  /** Throws 404 when the project is not readable, 403 when the right does not include `needed`. */
  readonly require: (
    executor: Executor,
    caller: Caller,
    projectId: number,
    needed: ProjectRight,
  ) => Promise<ProjectRight>;
};

export const projectRights: ProjectRights = {
  readableIds: async (executor, caller) => {
    const reach = reachOf(caller);
    if (reach.everywhere > 0 && reach.projectIds === null) return null;
    const { text, values } = readableProjects(reach, 1);
    const { rows } = await executor.query<{ project_id: number }>(named(text, values));
    return rows.map((row) => row.project_id);
  },
  rightIn: async (executor, caller, projectId) =>
    rightOfLevel(await findRightLevel(executor, reachOf(caller), projectId)),
  require: requireRight,
};
