import type { Fixture } from '../../../access/fixture.ts';
import { accessRows, type CallerKind } from '../../../access/index.ts';
import { requestFor } from '../../../access/requests.ts';
import type { CallerView, Item, ListRequest, Located } from './caller-view.ts';

/** A GET route with a record id at its end, and the list of these records. */
export type RecordRoute = {
  readonly byId: string;
  readonly list: string;
  /** GET routes below `byId` that belong to the same record, each with its required parameters. */
  readonly details: readonly { readonly template: string; readonly required: readonly string[] }[];
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

/** Values of required parameters of details, from the id of the record. */
const requiredValues: Readonly<Record<string, (id: string) => string>> = {
  // An evaluation is compared with itself.
  with: (id) => id,
};

/** Returns the names of the required query parameters. @throws Error if a name has no value. */
function requiredOf(path: string, parameters: readonly Parameter[]): readonly string[] {
  const names = parameters
    .filter(({ in: at, required }) => at === 'query' && required)
    .map(({ name }) => name);
  const unknown = names.filter((name) => !(name in requiredValues));
  if (unknown.length > 0) throw new Error(`${path} requires ${unknown.join(', ')}, which has no value here.`);
  return names;
}

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
        details: gets
          .filter((path) => path.includes(`/${nounOf(byId)}/`) && !path.endsWith('}'))
          .map((template) => ({
            template,
            required: requiredOf(template, paths[template]?.get?.parameters ?? []),
          })),
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

const idOf = (item: Item): string => String(item.id ?? item.number ?? item.projectId);

/** Returns the record at the start of a list path; undefined if the list belongs to no record. */
function parentOfList(template: string, path: string, filter: string): Located | undefined {
  const end = template.split('/').findIndex((segment) => segment.startsWith('{')) + 1;
  const first = (of: string) => of.split('/').slice(0, end).join('/');
  if (end > 0) return { template: first(template), path: first(path) };
  const [, projectId] = /(?:^|&)projectId=(\d+)/.exec(filter) ?? [];
  return projectId === undefined
    ? undefined
    : { template: '/svc/api/projects/{id}', path: `/svc/api/projects/${projectId}` };
}

const requestOf = (template: string, path: string, filter: string): ListRequest => ({
  template,
  path,
  filter,
  parent: parentOfList(template, path, filter),
});

/** Returns the requests for a list that belongs to no record, with its required filter. */
export function requestsOfList({ document, project }: Fixture, path: string): readonly ListRequest[] {
  const { paths } = document as unknown as Document;
  return filtersOf(paths[path]?.get?.parameters ?? [], project).map((filter) =>
    requestOf(path, path, filter),
  );
}

/** Returns the requests for the lists that can contain a record. */
export function listsOf({ route, path }: WatchedRecord, { query }: Fixture): readonly ListRequest[] {
  const isVersion = route.byId.startsWith('/svc/api/query-versions/');
  const list = filled(route.list, isVersion ? [String(query)] : valuesOf(route.byId, path));
  return route.filters.map((filter) => requestOf(route.list, list, filter));
}

/** Returns true if a list shows the record under one of its filters. */
export async function isListed(record: WatchedRecord, view: CallerView, fixture: Fixture): Promise<boolean> {
  const id = valuesOf(record.route.byId, record.path).at(-1);
  for (const request of listsOf(record, fixture)) {
    const { items } = await view.list(request);
    if (items.some((item) => idOf(item) === id)) return true;
  }
  return false;
}

const located = (template: string, id: unknown): Located => ({
  template,
  path: filled(template, [String(id)]),
});
const subscription = (id: unknown) => located('/svc/api/subscriptions/{id}', id);
const contract = (id: unknown) => located('/svc/api/data-quality/contracts/{id}', id);

/** Each kind of request has its own route. */
function approvalOf({ kind, id, planId }: Item): Located {
  if (kind === 'Plan') return located('/svc/api/ai-actors/plans/{id}', planId);
  return located(kind === 'Query' ? '/svc/api/approvals/{id}' : '/svc/api/approvals/changes/{id}', id);
}

/** Lists whose items are records of several routes, or of routes with another path. */
const itemRecords: Readonly<Record<string, (item: Item) => Located>> = {
  '/svc/api/approvals/changes': approvalOf,
  '/svc/api/approvals/pending': approvalOf,
  '/svc/api/control-tower/health': ({ kind, id }) => (kind === 'Contract' ? contract(id) : subscription(id)),
  '/svc/api/home/firing': ({ contractId, subscriptionId }) =>
    contractId === null ? subscription(subscriptionId) : contract(contractId),
  '/svc/api/mcp/published-queries': ({ queryId }) => located('/svc/api/queries/{id}', queryId),
};
export const listsOfOtherRecords = Object.keys(itemRecords);

/** Returns the record of an item in a list. Without `route`, the list must be one of `listsOfOtherRecords`. */
export function recordOf(request: ListRequest, item: Item, route?: RecordRoute): Located {
  const other = itemRecords[request.template];
  if (other) return other(item);
  if (!route) throw new Error(`The records of ${request.template} have no route.`);
  const parents = valuesOf(route.list, request.path);
  const count = route.byId.split('{').length - 1;
  return { template: route.byId, path: filled(route.byId, [...parents, idOf(item)].slice(-count)) };
}

/** Returns the details of a record. */
export const detailsOf = ({ route, path }: WatchedRecord): readonly Located[] =>
  route.details.map(({ template, required }) => {
    const ids = valuesOf(route.byId, path);
    const id = ids.at(-1) ?? '';
    const query = required.map((name) => `${name}=${requiredValues[name]?.(id)}`).join('&');
    const detail = filled(template, template.startsWith(route.byId) ? ids : [id]);
    return { template, path: query === '' ? detail : `${detail}?${query}` };
  });
