import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time } from '../../shapes.ts';
import { Query } from './queries.ts';

const tag = 'queries';

/** Depth of nested folders, at most. */
export const folderDepthMax = 8;

const FolderName = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^/]*[^/\\s][^/]*$',
  description:
    'Name without "/". It is unique within the parent folder. Upper and lower case count as equal.',
});
const ParentId = nullable(
  Type.Integer({ ...Id, description: 'Parent folder; null: the folder is at the top level.' }),
);

export const QueryFolder = Type.Object(
  {
    id: Id,
    projectId: Id,
    projectName: Type.String(),
    parentId: nullable(Id),
    name: Type.String(),
    path: Type.String({ description: 'Names from the top level down, with "/" as separator.' }),
    depth: Type.Integer({ minimum: 1, maximum: folderDepthMax }),
    queryCount: Type.Integer({ minimum: 0, description: 'Queries in the folder and in its subfolders.' }),
    createdTime: Time,
    updatedAt: Time,
    version: Type.Integer(),
  },
  { $id: 'QueryFolder' },
);
export type QueryFolder = Static<typeof QueryFolder>;

const tooDeepOrElsewhere =
  'The parent folder is in another project, is a subfolder of this folder, or would nest the folders too deeply.';
const twin = 'Another folder in the same parent folder has this name.';

/** Sort names: `path`, `name`, `createdTime`; default `path`, which is tree order. */
export const listQueryFolders = defineEndpoint({
  operationId: 'listQueryFolders',
  tag,
  summary: 'Folders of queries in the readable projects, in tree order',
  method: 'GET',
  path: '/svc/api/query-folders',
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name.' })),
    projectId: Type.Optional(Id),
  }),
  responses: { 200: pageOf(QueryFolder) },
  access: access.read({ project: 'readable' }),
});

export const getQueryFolder = defineEndpoint({
  operationId: 'getQueryFolder',
  tag,
  summary: 'One folder of queries',
  method: 'GET',
  path: '/svc/api/query-folders/{id}',
  params: IdParams,
  responses: { 200: QueryFolder },
  sends: ['ETag'],
  access: access.read({ project: 'readable' }),
});

export const CreateQueryFolderBody = Type.Object({
  projectId: Id,
  parentId: Type.Optional(ParentId),
  name: FolderName,
});

export const createQueryFolder = defineEndpoint({
  operationId: 'createQueryFolder',
  tag,
  summary: 'Creates a folder of queries in a project',
  method: 'POST',
  path: '/svc/api/query-folders',
  body: CreateQueryFolderBody,
  responses: { 201: QueryFolder },
  sends: ['ETag', 'Location'],
  access: access.write({ project: 'writable' }),
  refusals: { 400: tooDeepOrElsewhere, 409: twin },
});

export const ChangeQueryFolderBody = Type.Object({
  parentId: Type.Optional(ParentId),
  name: Type.Optional(FolderName),
});

export const changeQueryFolder = defineEndpoint({
  operationId: 'changeQueryFolder',
  tag,
  summary: 'Renames a folder, or moves it with its contents',
  method: 'PATCH',
  path: '/svc/api/query-folders/{id}',
  params: IdParams,
  body: ChangeQueryFolderBody,
  responses: { 200: QueryFolder },
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: {
    400: tooDeepOrElsewhere,
    409: twin,
    412: 'The folder changed after the caller read it.',
  },
});

export const deleteQueryFolder = defineEndpoint({
  operationId: 'deleteQueryFolder',
  tag,
  summary: 'Deletes a folder without deleting queries',
  method: 'DELETE',
  path: '/svc/api/query-folders/{id}',
  params: IdParams,
  query: Type.Object({
    moveContents: Type.Optional(
      Type.Boolean({
        description:
          'Moves the contents to the parent folder. Default false: only an empty folder can be deleted.',
      }),
    ),
  }),
  responses: { 204: null },
  access: access.write({ project: 'writable' }),
  refusals: {
    409: 'The folder is not empty, or one of its subfolders has the name of a folder in the parent folder.',
    412: 'The folder changed after the caller read it.',
  },
});

export const setQueryFolder = defineEndpoint({
  operationId: 'setQueryFolder',
  tag,
  summary: 'Moves a query into a folder of its project, or out of its folder',
  method: 'PUT',
  path: '/svc/api/queries/{id}/folder',
  params: IdParams,
  body: Type.Object({ folderId: nullable(Id) }),
  responses: { 200: Query },
  sends: ['ETag'],
  access: access.write({ project: 'writable' }),
  refusals: { 400: 'The folder is not in the project of the query.' },
});

/** Queries that one request moves, at most. */
export const queriesMovedMax = 200;

export const MoveQueriesBody = Type.Object({
  queryIds: Type.Array(Id, { minItems: 1, maxItems: queriesMovedMax }),
  folderId: nullable(Id),
});

export const moveQueries = defineEndpoint({
  operationId: 'moveQueries',
  tag,
  summary:
    'Moves several queries of one project into one of its folders, or out of their folders; moves all or none',
  method: 'POST',
  path: '/svc/api/query-folders/move-queries',
  body: MoveQueriesBody,
  responses: {
    200: Type.Object({
      movedCount: Type.Integer({
        minimum: 0,
        description: 'Moved queries. Queries that were already in the folder do not count.',
      }),
    }),
  },
  access: access.write({ project: 'writable' }),
  refusals: {
    400: 'The queries belong to several projects, or the folder is not in their project.',
    404: 'A query does not exist, or the caller may not see it. No query was moved.',
  },
});
