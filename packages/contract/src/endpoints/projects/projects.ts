import { type Static, Type } from 'typebox';
import { access, projectRoles } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, NonBlank, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

/** Open: every user with a global role reads it. Restricted: only its members read it. */
export const accessModes = ['Open', 'Restricted'] as const;
export type AccessMode = (typeof accessModes)[number];

/** Rights of a caller in a project, lowest first. `Manage` adds members and links to `Write`. */
export const projectRights = ['Read', 'Write', 'Manage'] as const;
export type ProjectRight = (typeof projectRights)[number];

const ProjectRole = wordOf(projectRoles);

/** A project in a list. */
export const ProjectListItem = Type.Object({
  id: Id,
  name: Type.String(),
  description: nullable(Type.String()),
  accessMode: wordOf(accessModes),
  right: wordOf(projectRights),
  isDemo: Type.Boolean(),
  dataSourceCount: Type.Integer({ minimum: 0 }),
  queryCount: Type.Integer({ minimum: 0 }),
  createdTime: Time,
  updatedAt: Time,
});
export type ProjectListItem = Static<typeof ProjectListItem>;

/** A single project. */
export const Project = Type.Object({
  ...ProjectListItem.properties,
  createdByUserId: nullable(Id),
  version: Type.Integer({ minimum: 1 }),
});
export type Project = Static<typeof Project>;

export const ProjectMember = Type.Object({
  userId: Id,
  userName: Type.String(),
  displayName: nullable(Type.String()),
  role: ProjectRole,
  isEnabled: Type.Boolean({ description: 'Whether the user may sign in.' }),
  addedAt: Time,
  addedByUserId: nullable(Id),
  version: Type.Integer({ minimum: 1 }),
});
export type ProjectMember = Static<typeof ProjectMember>;

export const ProjectDataSource = Type.Object({
  id: Id,
  name: Type.String(),
  description: nullable(Type.String()),
  engine: Type.String(),
  linkedAt: Time,
});
export type ProjectDataSource = Static<typeof ProjectDataSource>;

const tag = 'projects';
const nameLengthMax = 200;
const descriptionLengthMax = 2_000;
const name = NonBlank(nameLengthMax);
const description = nullable(Type.String({ maxLength: descriptionLengthMax }));
const search = Type.Optional(
  Type.String({
    maxLength: nameLengthMax,
    description: 'Part of the name. Upper and lower case count as equal.',
  }),
);
const changedMeanwhile = { 412: 'If-Match names an earlier version of the record.' } as const;
const MemberParams = Type.Object({ id: Id, userId: Id });

/** Projects that the caller can read. Sort names: `name`, `createdTime`, `updatedAt`; default `-createdTime`. */
export const listProjects = defineEndpoint({
  operationId: 'listProjects',
  tag,
  summary: 'Lists the projects that the caller can read',
  method: 'GET',
  path: '/svc/api/projects',
  query: Type.Object({
    ...listQuery,
    search,
    dataSourceId: Type.Optional(Id),
    forApiKey: Type.Optional(
      Type.Boolean({
        description: 'Only projects that an API key of the caller can access, without the Admin bypass.',
      }),
    ),
  }),
  responses: { 200: pageOf(ProjectListItem) },
  access: access.read(),
});

export const CreateProjectBody = Type.Object({ name, description: Type.Optional(description) });

export const createProject = defineEndpoint({
  operationId: 'createProject',
  tag,
  summary: 'Creates a project; its creator becomes its ProjectAdmin',
  method: 'POST',
  path: '/svc/api/projects',
  body: CreateProjectBody,
  responses: { 201: Type.Object({ ...Project.properties, projectId: Id }) },
  sends: ['ETag', 'Location'],
  access: access.write(),
});

export const getProject = defineEndpoint({
  operationId: 'getProject',
  tag,
  summary: 'Reads a project',
  method: 'GET',
  path: '/svc/api/projects/{id}',
  params: IdParams,
  responses: { 200: Project },
  sends: ['ETag'],
  access: access.read({ project: 'readable' }),
});

export const UpdateProjectBody = Type.Object({
  name: Type.Optional(name),
  description: Type.Optional(description),
});

export const updateProject = defineEndpoint({
  operationId: 'updateProject',
  tag,
  summary: 'Changes the name or description of a project',
  method: 'PATCH',
  path: '/svc/api/projects/{id}',
  params: IdParams,
  body: UpdateProjectBody,
  responses: { 200: Project },
  edits: 'Project',
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: changedMeanwhile,
});

export const archiveProject = defineEndpoint({
  operationId: 'archiveProject',
  tag,
  summary: 'Archives a project with everything in it',
  method: 'DELETE',
  path: '/svc/api/projects/{id}',
  params: IdParams,
  responses: { 204: null },
  edits: 'Project',
  access: access.write({ project: 'managed' }),
  refusals: changedMeanwhile,
});

export const setProjectAccessMode = defineEndpoint({
  operationId: 'setProjectAccessMode',
  tag,
  summary: 'Opens or restricts a project; opening a restricted one needs an Admin',
  method: 'PUT',
  path: '/svc/api/projects/{id}/access-mode',
  params: IdParams,
  body: Type.Object({ accessMode: wordOf(accessModes) }),
  responses: { 204: null },
  edits: 'Project',
  access: access.administer('UserAdmin'),
  refusals: changedMeanwhile,
});

/** Members of a project. Sort names: `userName`, `role`, `addedAt`; default `userName`. */
export const listProjectMembers = defineEndpoint({
  operationId: 'listProjectMembers',
  tag,
  summary: 'Lists the members of a project',
  method: 'GET',
  path: '/svc/api/projects/{id}/members',
  params: IdParams,
  query: Type.Object({ ...listQuery, search }),
  responses: { 200: pageOf(ProjectMember) },
  access: access.read({ project: 'managed', or: ['UserAdmin'] }),
});

export const AddProjectMemberBody = Type.Object({
  userId: Type.Optional(Id),
  userName: Type.Optional(NonBlank(nameLengthMax)),
  role: ProjectRole,
});

export const addProjectMember = defineEndpoint({
  operationId: 'addProjectMember',
  tag,
  summary: 'Adds a user to a project, by user id or user name',
  method: 'POST',
  path: '/svc/api/projects/{id}/members',
  params: IdParams,
  body: AddProjectMemberBody,
  responses: { 201: ProjectMember },
  sends: ['ETag'],
  access: access.write({ project: 'managed', or: ['UserAdmin'] }),
  refusals: { 409: 'The user is already a member.' },
});

export const changeProjectMember = defineEndpoint({
  operationId: 'changeProjectMember',
  tag,
  summary: 'Changes the role of a member',
  method: 'PUT',
  path: '/svc/api/projects/{id}/members/{userId}',
  params: MemberParams,
  body: Type.Object({ role: ProjectRole }),
  responses: { 200: ProjectMember },
  sends: ['ETag'],
  access: access.write({ project: 'managed', or: ['UserAdmin'] }),
  refusals: { 409: 'A restricted project would lose its last ProjectAdmin.', ...changedMeanwhile },
});

export const removeProjectMember = defineEndpoint({
  operationId: 'removeProjectMember',
  tag,
  summary: 'Removes a member',
  method: 'DELETE',
  path: '/svc/api/projects/{id}/members/{userId}',
  params: MemberParams,
  responses: { 204: null },
  access: access.write({ project: 'managed', or: ['UserAdmin'] }),
  refusals: { 409: 'A restricted project would lose its last ProjectAdmin.', ...changedMeanwhile },
});

/** Data sources linked to a project. Sort names: `name`, `engine`, `linkedAt`; default `name`. */
export const listProjectDataSources = defineEndpoint({
  operationId: 'listProjectDataSources',
  tag,
  summary: 'Lists the data sources linked to a project',
  method: 'GET',
  path: '/svc/api/projects/{id}/data-sources',
  params: IdParams,
  query: Type.Object({ ...listQuery, search }),
  responses: { 200: pageOf(ProjectDataSource) },
  access: access.read({ project: 'readable' }),
});

export const LinkProjectDataSourceBody = Type.Object({ dataSourceId: Id });

export const linkProjectDataSource = defineEndpoint({
  operationId: 'linkProjectDataSource',
  tag,
  summary: 'Links a data source to a project',
  method: 'POST',
  path: '/svc/api/projects/{id}/data-sources',
  params: IdParams,
  body: LinkProjectDataSourceBody,
  responses: { 201: ProjectDataSource },
  edits: 'Project',
  access: access.write({ project: 'writable' }),
  refusals: { 409: 'The data source is linked to the project already.' },
});

export const unlinkProjectDataSource = defineEndpoint({
  operationId: 'unlinkProjectDataSource',
  tag,
  summary: 'Unlinks a data source from a project',
  method: 'DELETE',
  path: '/svc/api/projects/{id}/data-sources/{dataSourceId}',
  params: Type.Object({ id: Id, dataSourceId: Id }),
  responses: { 204: null },
  edits: 'Project',
  access: access.administer(),
  refusals: { 409: 'Queries of the project use the data source. `detail` names them.' },
});
