import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import type { Fixture } from '../fixture.ts';

const queries = '/svc/api/queries';
const versions = '/svc/api/query-versions';

/** Functions that create and change queries of the fixture's project. */
type Making = {
  readonly freshQuery: (fixture: Fixture) => Promise<number>;
  /** A definition that no query has. */
  readonly definition: (fixture: Fixture) => unknown;
};

/** Returns the id of the oldest version of a query. */
async function firstVersion(client: HttpClient, query: number): Promise<number> {
  const { body } = await client.get(`${queries}/${query}/versions?sort=versionNumber&pageSize=1`);
  const [first] = (body as { items: { id: number }[] }).items;
  if (!first) throw new Error(`Query ${query} has no version.`);
  return first.id;
}

/** Requests about versions of a query. The restored version differs from the current definition of its query. */
export const queryVersionRequests = ({ freshQuery, definition }: Making) => ({
  [`GET ${versions}/{id}`]: async (fixture: Fixture) => ({
    path: `${versions}/${await firstVersion(fixture.root, fixture.query)}`,
  }),
  [`GET ${versions}/diff`]: async (fixture: Fixture) => {
    const id = await firstVersion(fixture.root, fixture.query);
    return { path: `${versions}/diff?from=${id}&to=${id}` };
  },
  [`POST ${versions}/{id}/preview`]: async (fixture: Fixture) => ({
    path: `${versions}/${await firstVersion(fixture.root, fixture.query)}/preview`,
    body: {},
  }),
  [`POST ${queries}/{id}/versions/{versionId}/withdraw`]: async (fixture: Fixture) => ({
    path: `${queries}/${fixture.query}/versions/${await firstVersion(fixture.root, fixture.query)}/withdraw`,
  }),
  [`POST ${versions}/{id}/restore`]: async (fixture: Fixture) => {
    const query = await freshQuery(fixture);
    const path = `${versions}/${await firstVersion(fixture.root, query)}/restore`;
    await fixture.root.put(`${queries}/${query}`, definition(fixture));
    return { path, body: {} };
  },
});
