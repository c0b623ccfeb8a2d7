import type { ProjectRight } from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import { type Executor, named } from '../../platform/db/index.ts';
import { type Reach, reachOf, rightOfLevel } from './access.ts';
import { requireRight } from './lock.ts';
import { findAdministratorIds } from './member-store.ts';
import { readableProjects } from './readable.ts';
import { findRightLevel } from './store.ts';

/** What other domains ask about a caller's reach into projects. */
export type ProjectRights = {
  /** Ids of the live projects that the caller can read: what their lists and their reads by id have in common. */
  readonly readableIds: (executor: Executor, caller: Caller) => Promise<readonly number[]>;
  /** Ids of the projects whose notices the caller can read; null: every one, archived projects too. */
  readonly noticeableIds: (executor: Executor, caller: Caller) => Promise<readonly number[] | null>;
  /** True when a project is among the `noticeableIds`. */
  readonly canRead: (executor: Executor, caller: Caller, projectId: number) => Promise<boolean>;
  /** Ids of the users whose membership makes them administrators of a project; some may be disabled. */
  readonly administratorIds: (executor: Executor, projectId: number) => Promise<readonly number[]>;
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

/** Archived projects too. */
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
