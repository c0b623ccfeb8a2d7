import type { ProjectRight } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { type Executor, named } from '../../platform/db/index.ts';
import { type Reach, reachOf, rightOfLevel } from './access.ts';
import { requireRight } from './lock.ts';
import { findAdministratorIds } from './member-store.ts';
import { readableProjects } from './readable.ts';
import { findRightLevel } from './store.ts';

/** Checks of a caller's rights in projects, for other domains. */
export type ProjectRights = {
  /** Returns the ids of the live projects that the caller can read. Lists and reads by id use the same rule. */
  readonly readableIds: (executor: Executor, caller: Caller) => Promise<readonly number[]>;
  /** Returns the ids of the projects whose notices the caller can read; null: all projects, including archived ones. */
  readonly noticeableIds: (executor: Executor, caller: Caller) => Promise<readonly number[] | null>;
  /** Returns true when the `noticeableIds` include the project. */
  readonly canRead: (executor: Executor, caller: Caller, projectId: number) => Promise<boolean>;
  /** Returns the ids of the users who administer a project by membership, including disabled users. */
  readonly administratorIds: (executor: Executor, projectId: number) => Promise<readonly number[]>;
  /** Returns the caller's right in a project; null: missing, archived or not readable. */
  readonly rightIn: (executor: Executor, caller: Caller, projectId: number) => Promise<ProjectRight | null>;
  /** Throws 404 when the project is not readable, 403 when the right does not include `needed`. */
  readonly require: (
    executor: Executor,
    caller: Caller,
    projectId: number,
    needed: ProjectRight,
  ) => Promise<ProjectRight>;
};

/** Includes archived projects. */
const readsEveryProject = ({ everywhere, projectIds }: Reach): boolean =>
  everywhere > 0 && projectIds === null;

async function idsWithin(executor: Executor, reach: Reach): Promise<readonly number[]> {
  const { text, values } = readableProjects(reach, 1);
  const { rows } = await executor.query<{ project_id: number }>(named(text, values));
  return rows.map((row) => row.project_id);
}

export const projectRights: ProjectRights = {
  readableIds: (executor, caller) => idsWithin(executor, reachOf(caller)),
  noticeableIds: async (executor, caller) => {
    const reach = reachOf(caller);
    return readsEveryProject(reach) ? null : idsWithin(executor, reach);
  },
  canRead: async (executor, caller, projectId) => {
    const reach = reachOf(caller);
    return readsEveryProject(reach) || (await findRightLevel(executor, reach, projectId)) > 0;
  },
  administratorIds: findAdministratorIds,
  rightIn: async (executor, caller, projectId) =>
    rightOfLevel(await findRightLevel(executor, reachOf(caller), projectId)),
  require: requireRight,
};
