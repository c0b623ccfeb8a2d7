import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import type { Fixture } from '../../access/fixture.ts';
import { accessRows, type CallerKind } from '../../access/index.ts';
import { requestFor } from '../../access/requests.ts';

/** A GET route with a record id at its end, and the list of these records. */
export type RecordRoute = {
  readonly byId: string;
  readonly list: string;
  /** GET routes below `byId` that belong to the same record. */
  readonly details: readonly string[];
  /** Filters of the list. Together they show the records of every state. */
  readonly filters: readonly string[];
};

/** A record of the fixture. */
export type WatchedRecord = { readonly route: RecordRoute; readonly path: string };

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: { readonly enum?: readonly unknown[] };
};
type Document = {
  readonly paths: Readonly<Record<string, { readonly get?: { readonly parameters?: readonly Parameter[] } }>>;
};

/** Lists whose path is not the path of the record without its id. */
const otherLists: Readonly<Record<string, string>> = {
  '/svc/api/approvals/{id}': '/svc/api/approvals/pending',
  '/svc/api/query-versions/{id}': '/svc/api/queries/{id}/versions',
};

/** Routes with an id at their end that read no record of a list, each with the reason. */
export const withoutList: Readonly<Record<string, string>> = {
  '/svc/api/ask/answers/{id}': 'A conversation contains its answers.',
  '/svc/api/definitions/objects/{kind}/{id}': 'It exports a record of another kind.',
};

/** Returns the path without its last segment. */
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Returns the last two segments of a path: `subscriptions/{id}`. */
const nounOf = (path: string): string => path.split('/').slice(-2).join('/');

function filtersOf(parameters: readonly Parameter[], project: number): readonly string[] {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const always = query.flatMap(({ name, required }) => {
    if (name === 'includeArchived' || name === 'includeInactive') return [`${name}=true`];
    return name === 'projectId' && required ? [`projectId=${project}`] : [];
  });
  const states = query.find(({ name }) => name === 'state')?.schema?.enum ?? [];
  if (states.includes('All')) return [[...always, 'state=All'].join('&')];
  const others = states.includes('Archived') ? [[...always, 'state=Archived'].join('&')] : [];
  return [always.join('&'), ...others];
}

/** Returns every GET route of the service that reads a record by its id. A missing list has the path ''. */
export function recordRoutes({ document, project }: Fixture): readonly RecordRoute[] {
  const { paths } = document as unknown as Document;
  const gets = Object.keys(paths).filter((path) => paths[path]?.get);
  return gets
    .filter((path) => path.endsWith('}') && !(path in withoutList))
    .map((byId) => {
      const list = otherLists[byId] ?? parentOf(byId);
      return {
        byId,
        list: gets.includes(list) ? list : '',
        details: gets.filter((path) => path.includes(`/${nounOf(byId)}/`) && !path.endsWith('}')),
        filters: filtersOf(paths[list]?.get?.parameters ?? [], project),
      };
    });
}

/**
 * Creates a record of a route with the requests of the access matrix. Returns null if the method has no row.
 *
 * @param method  `DELETE` for a record that its route can remove.
 */
export async function createRecord(
  route: RecordRoute,
  method: 'GET' | 'DELETE',
  fixture: Fixture,
  owner: CallerKind,
): Promise<WatchedRecord | null> {
  const row = accessRows.find(({ operation }) => operation === `${method} ${route.byId}`);
  return row ? { route, path: (await requestFor(row, fixture, owner)).path } : null;
}

/**
 * Creates records of the lists whose records no route reads by id, with the requests of the access matrix. It prepares
 * these requests and does not send them.
 */
export async function createOtherRecords(fixture: Fixture, lists: readonly string[]): Promise<void> {
  const read = recordRoutes(fixture).map(({ list }) => list);
  const others = lists.filter((path) => !path.includes('{') && !read.includes(path));
  for (const row of accessRows) {
    const [method, path = ''] = row.operation.split(' ');
    const isOfList = others.some((list) => path === list || path.startsWith(`${list}/{`));
    if (isOfList && method !== 'GET') await requestFor(row, fixture, 'superAdmin');
  }
}

/** Returns the values of the parameters of a template in a path. */
const valuesOf = (template: string, path: string): readonly string[] => {
  const values = path.split('/');
  return template.split('/').flatMap((segment, at) => (segment.startsWith('{') ? [values[at] ?? ''] : []));
};

const filled = (template: string, values: readonly string[]): string => {
  let at = 0;
  return template.replaceAll(/\{[^}]+\}/g, () => values[at++] ?? '');
};

/** A reader of lists as one caller, which reads each list once. */
export type ListReader = (path: string, filter: string) => Promise<ShownList>;
type ShownList = {
  readonly status: number;
  readonly totalCount: number;
  readonly items: readonly Readonly<Record<string, unknown>>[];
};

export function createListReader(client: HttpClient): ListReader {
  const lists = new Map<string, Promise<ShownList>>();
  const read = async (url: string): Promise<ShownList> => {
    const { status, body, text } = await client.get(url);
    if (status === 400 || status >= 500) throw new Error(`${url}: ${status} ${text}`);
    if (status !== 200) return { status, totalCount: 0, items: [] };
    if (body.totalCount !== body.items.length) throw new Error(`${url} does not fit on one page.`);
    return { status, totalCount: body.totalCount, items: body.items };
  };
  return (path, filter) => {
    const url = `${path}?pageSize=200${filter && `&${filter}`}`;
    const list = lists.get(url) ?? read(url);
    lists.set(url, list);
    return list;
  };
}

const idOf = (item: Readonly<Record<string, unknown>>): string =>
  String(item.id ?? item.number ?? item.projectId);

/** Returns true if a list of the record's route shows the record under one of its filters. */
export async function isListed(
  { route, path }: WatchedRecord,
  read: ListReader,
  { query }: Fixture,
): Promise<boolean> {
  const ids = valuesOf(route.byId, path);
  const parents = route.byId.startsWith('/svc/api/query-versions/') ? [String(query)] : ids;
  for (const filter of route.filters) {
    const { items } = await read(filled(route.list, parents), filter);
    if (items.some((item) => idOf(item) === ids.at(-1))) return true;
  }
  return false;
}

/** Returns the paths of the details of a record. */
export const detailsOf = ({ route, path }: WatchedRecord): readonly string[] =>
  route.details.map((detail) => {
    const ids = valuesOf(route.byId, path);
    return filled(detail, detail.startsWith(route.byId) ? ids : ids.slice(-1));
  });
