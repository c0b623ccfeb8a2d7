import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import type { Fixture } from '../fixture.ts';

const folders = '/svc/api/query-folders';

type Making = {
  readonly made: (client: HttpClient, path: string, body: unknown) => Promise<number>;
  readonly fresh: (what: string) => string;
};

/** Requests about folders of the fixture's project. Each request uses its own folder. */
export const queryFolderRequests = ({ made, fresh }: Making) => {
  const body = ({ project }: Fixture) => ({ projectId: project, name: fresh('Folder') });
  const freshFolder = (fixture: Fixture) => made(fixture.root, folders, body(fixture));
  return {
    [`POST ${folders}`]: async (fixture: Fixture) => ({ body: body(fixture) }),
    [`GET ${folders}/{id}`]: async (fixture: Fixture) => ({
      path: `${folders}/${await freshFolder(fixture)}`,
    }),
    [`PATCH ${folders}/{id}`]: async (fixture: Fixture) => ({
      path: `${folders}/${await freshFolder(fixture)}`,
      body: { name: fresh('Renamed') },
    }),
    [`DELETE ${folders}/{id}`]: async (fixture: Fixture) => ({
      path: `${folders}/${await freshFolder(fixture)}`,
    }),
    [`POST ${folders}/move-queries`]: async (fixture: Fixture) => ({
      body: { queryIds: [fixture.query], folderId: await freshFolder(fixture) },
    }),
    'PUT /svc/api/queries/{id}/folder': async (fixture: Fixture) => ({
      path: `/svc/api/queries/${fixture.query}/folder`,
      body: { folderId: await freshFolder(fixture) },
    }),
  };
};
