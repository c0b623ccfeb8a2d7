import type { AccessMode, ListQuery, Page, Project, ProjectListItem } from '@svc/contract';
import { type Caller, isAdmin } from '../../platform/access/index.ts';
import type { Database, Executor, Tx } from '../../platform/db/index.ts';
import { conflict, forbidden, notFound, pageOf, pageRequest } from '../../platform/http/index.ts';
import type { Audit, CallerActor } from '../audit/index.ts';
import { assertNothingManaged, assertUnmanaged } from '../managed-records/index.ts';
import { reachOf } from './access.ts';
import { assertVersion, lockForChange } from './lock.ts';
import { insertMember } from './member-store.ts';
import { presentProject, presentProjectListItem } from './present.ts';
import * as store from './store.ts';

export type ProjectsDeps = {
  readonly database: Database;
  readonly audit: Audit;
  /** False: users cannot be members, so projects cannot be restricted. */
  readonly hasMembers: boolean;
};

export type ProjectsService = {
  readonly list: (
    caller: Caller,
    query: ListQuery & { search?: string; dataSourceId?: number; forApiKey?: boolean },
  ) => Promise<Page<ProjectListItem>>;
  /** `within` adds statements to the transaction. */
  readonly create: (
    by: CallerActor,
    input: { name: string; description?: string | null },
    within?: (tx: Tx, id: number) => Promise<void>,
  ) => Promise<Project>;
  readonly get: (caller: Caller, id: number) => Promise<Project>;
  readonly update: (
    by: CallerActor,
    id: number,
    change: { name?: string; description?: string | null },
    expectedVersion: number | undefined,
  ) => Promise<Project>;
  readonly archive: (by: CallerActor, id: number, expectedVersion: number | undefined) => Promise<void>;
  readonly setAccessMode: (
    by: CallerActor,
    id: number,
    accessMode: AccessMode,
    expectedVersion: number | undefined,
  ) => Promise<void>;
  /** Sets the access mode in the caller's transaction. */
  readonly setAccessModeIn: (tx: Tx, ...rest: Parameters<ProjectsService['setAccessMode']>) => Promise<void>;
};

/** Checks a change of the access mode. @throws Refusal 403 if a caller without the Admin role opens a project. */
export function assertMayChangeAccess(caller: Caller, accessMode: AccessMode): void {
  if (accessMode === 'Open' && !isAdmin(caller))
    throw forbidden('admin-required', 'Opening a restricted project needs the Admin role.');
}

/** Creates the service for projects. Members and linked data sources have separate services. */
export function createProjectsService({ database, audit, hasMembers }: ProjectsDeps): ProjectsService {
  const setAccessModeIn: ProjectsService['setAccessModeIn'] = async (
    tx,
    by,
    id,
    accessMode,
    expectedVersion,
  ) => {
    const project = await store.lockProject(tx, id);
    if (!project) throw notFound();
    await assertUnmanaged(tx, by, 'Project', id);
    assertVersion(project.version, expectedVersion);
    if (project.access_mode === accessMode) return;
    if (accessMode === 'Restricted' && !hasMembers) throw nobodyCouldEnter();
    assertMayChangeAccess(by.caller, accessMode);
    await store.updateProject(tx, id, { accessMode });
    const detail = { accessMode };
    await audit.record(tx, { event: 'projects.access_mode_changed', by, ...about(id), detail });
  };

  return {
    list: async (caller, query) => {
      const page = pageRequest(query, {
        sortable: store.projectSortable,
        byDefault: '-createdTime',
        unique: 'id',
      });
      const reach = reachOf(caller, { withoutBypass: query.forApiKey === true });
      const { rows, total } = await store.listProjects(
        database,
        reach,
        { search: query.search || null, dataSourceId: query.dataSourceId ?? null },
        page,
      );
      return pageOf(rows.map(presentProjectListItem), total, page);
    },

    create: (by, { name, description = null }, within) => {
      if (by.caller.allowedProjectIds !== null) throw confinedToItsProjects();
      return database.transaction(async (tx) => {
        const project = { name: name.trim(), description, createdByUserId: by.caller.userId };
        const id = await store.insertProject(tx, project);
        if (by.caller.userId !== null) {
          const { userId } = by.caller;
          await insertMember(tx, { projectId: id, userId, role: 'ProjectAdmin', addedByUserId: userId });
        }
        await audit.record(tx, { event: 'projects.project_created', by, ...about(id) });
        await within?.(tx, id);
        return readProject(tx, by.caller, id);
      });
    },

    get: (caller, id) => readProject(database, caller, id),

    update: (by, id, { name, description }, expectedVersion) =>
      database.transaction(async (tx) => {
        await lockForChange(tx, by.caller, id, 'Write', expectedVersion);
        await assertUnmanaged(tx, by, 'Project', id);
        await store.updateProject(tx, id, {
          ...(name !== undefined && { name: name.trim() }),
          ...(description !== undefined && { description }),
        });
        await audit.record(tx, { event: 'projects.project_changed', by, ...about(id) });
        return readProject(tx, by.caller, id);
      }),

    archive: (by, id, expectedVersion) =>
      database.transaction(async (tx) => {
        await lockForChange(tx, by.caller, id, 'Manage', expectedVersion);
        await assertUnmanaged(tx, by, 'Project', id);
        await assertNothingManaged(tx, by, id);
        await store.updateProject(tx, id, { isArchived: true });
        await audit.record(tx, { event: 'projects.project_archived', by, ...about(id) });
      }),

    setAccessMode: (...change) => database.transaction((tx) => setAccessModeIn(tx, ...change)),
    setAccessModeIn,
  };
}

const nobodyCouldEnter = () =>
  conflict(
    'no-members',
    'Projects stay open here: the service keeps no users, and the host application names no members of projects.',
  );

const confinedToItsProjects = () =>
  forbidden(
    'confined-to-projects',
    'This key or token reaches only the projects of its list, so it cannot create another one.',
  );

const about = (id: number) => ({ subject: { kind: 'project', id }, projectId: id });

async function readProject(executor: Executor, caller: Caller, id: number): Promise<Project> {
  const row = await store.findProject(executor, reachOf(caller), id);
  if (!row) throw notFound();
  return presentProject(row);
}
