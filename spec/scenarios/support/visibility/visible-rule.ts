import type { Fixture } from '../../../access/fixture.ts';
import type { CallerKind, Expectation } from '../../../access/index.ts';
import { type CallerView, expectationOf, type Item, type Located } from './caller-view.ts';
import { lists } from './lists.ts';
import {
  detailsOf,
  isListed,
  listsOf,
  listsOfOtherRecords,
  recordOf,
  requestsOfList,
  type WatchedRecord,
} from './visible-records.ts';

/** A permission that shows a list whose records only users with project access read. */
const listedOnly: Partial<Record<CallerKind, string>> = { dataSourceAdmin: '/svc/api/data-sources/{id}' };

/** Lists of past events. An Admin reads the events of archived projects, too. */
const pastEvents = ['/svc/api/mcp/audit', '/svc/api/mcp/settings/history', '/svc/api/notices'];

/** A permission that shows records of every project in a list: Approvers read every request. */
const everyProject: Partial<Record<CallerKind, string>> = { approver: '/svc/api/ai-actors/plans' };

/** Runs in lists. A user reads a run through any project with its data sources. */
const runOf: Readonly<Record<string, (item: Item) => unknown>> = {
  '/svc/api/notifications': ({ id }) => id,
  '/svc/api/home/activity': ({ notificationId }) => notificationId,
};

/** Details that exist only for the subjects in the health list of the control tower. */
const watchedKinds: Readonly<Record<string, string>> = {
  '/svc/api/control-tower/contracts/{id}/detail': 'Contract',
  '/svc/api/control-tower/subscriptions/{id}/detail': 'Subscription',
};

/** Items of a list whose records are read by id. A list can be long, and its items have the same rule. */
const readItemsMax = 20;

/** Returns true if the answer of a detail agrees with the answer of its record. */
function agrees(expectation: Expectation, record: number, detail: number, isGone: boolean): boolean {
  if (record === 200) return detail === (expectation === 403 ? 403 : 200);
  if (record === 403 && expectation === 'passes' && !isGone) return detail === 200;
  return detail === 404 || detail === expectation;
}

/** Returns true if the control tower watches the record, or if the detail belongs to every record. */
async function hasDetail(fixture: Fixture, view: CallerView, { template, path }: Located): Promise<boolean> {
  const watchedKind = watchedKinds[template];
  if (watchedKind === undefined) return true;
  const [request] = requestsOfList(fixture, '/svc/api/control-tower/health');
  if (!request) throw new Error('The control tower has no list.');
  const { items } = await view.list(request);
  return items.some(({ kind, id }) => kind === watchedKind && path.split('/').at(-2) === String(id));
}

/** An item with the route that shows it. */
type ShownItem = { readonly template: string; readonly item: Item };

/** Compares the details of a record with the read by id. Returns the items of the details that are lists. */
async function compareDetails(
  fixture: Fixture,
  view: CallerView,
  { record, status, isGone }: { record: WatchedRecord; status: number; isGone: boolean },
): Promise<readonly ShownItem[]> {
  const shown: ShownItem[] = [];
  for (const { template, path } of detailsOf(record)) {
    const detail = await view.get(path);
    const ofRecord = status !== 200 || (await hasDetail(fixture, view, { template, path })) ? status : 404;
    if (!agrees(expectationOf(template, view.kind), ofRecord, detail.status, isGone))
      view.wrong.push(`${view.kind}: ${path} answers ${detail.status}, and ${record.path} ${status}`);
    const items: readonly Item[] = detail.status === 200 ? (detail.body?.items ?? []) : [];
    shown.push(...items.map((item) => ({ template, item })));
  }
  return shown;
}

/**
 * Compares the reads by id with the lists and with the details. Adds a sentence per difference to the view.
 *
 * @param goneForAll  paths of the records that an Admin cannot read.
 * @returns the items of the details that are lists.
 */
export async function compareRecords(
  fixture: Fixture,
  view: CallerView,
  records: readonly WatchedRecord[],
  goneForAll: ReadonlySet<string>,
): Promise<readonly ShownItem[]> {
  const { kind, wrong } = view;
  const shown: ShownItem[] = [];
  for (const record of records) {
    const { byId } = record.route;
    const status = await view.statusOf({ template: byId, path: record.path });
    const isShown = await isListed(record, view, fixture);
    if (isShown !== (status === 200) && !(status === 403 && listedOnly[kind] === byId))
      wrong.push(`${kind}: ${record.path} answers ${status}, and its list ${isShown ? 'shows' : 'hides'} it`);
    const details = { record, status, isGone: goneForAll.has(record.path) };
    shown.push(...(await compareDetails(fixture, view, details)));
  }
  return shown;
}

/** Reads the first items of lists by their ids. Adds a sentence per unreadable item to the view. */
export async function readItems(
  fixture: Fixture,
  view: CallerView,
  records: readonly WatchedRecord[],
): Promise<void> {
  const ofRoutes = records.flatMap((record) =>
    listsOf(record, fixture).map((request) => ({ request, route: record.route })),
  );
  const ofOthers = listsOfOtherRecords.flatMap((list) =>
    requestsOfList(fixture, list).map((request) => ({ request, route: undefined })),
  );
  for (const { request, route } of [...ofRoutes, ...ofOthers])
    for (const item of (await view.list(request)).items.slice(0, readItemsMax)) {
      const record = recordOf(request, item, route);
      const status = await view.statusOf(record);
      if (status !== 200 && !(status === 403 && listedOnly[view.kind] === record.template))
        view.wrong.push(`${view.kind}: ${request.path} shows ${record.path}, which answers ${status}`);
    }
}

/** Returns the ids of the projects that the caller's list of projects shows. */
async function projectsOf(fixture: Fixture, view: CallerView): Promise<ReadonlySet<unknown>> {
  const requests = requestsOfList(fixture, '/svc/api/projects');
  const shown = await Promise.all(requests.map((request) => view.list(request)));
  return new Set(shown.flatMap(({ items }) => items.map(({ id, projectId }) => projectId ?? id)));
}

/** Returns true if a caller may see an item of a project that the caller's list of projects does not show. */
async function isAllowed(
  view: CallerView,
  { template, item }: ShownItem,
  archived: ReadonlySet<unknown>,
): Promise<boolean> {
  if (everyProject[view.kind] === template) return true;
  if (view.kind === 'superAdmin' && archived.has(item.projectId) && pastEvents.includes(template))
    return true;
  const run = runOf[template]?.(item) ?? null;
  return (
    run !== null &&
    (await view.statusOf({
      template: '/svc/api/notifications/{id}',
      path: `/svc/api/notifications/${run}`,
    })) === 200
  );
}

/** Compares the projects of all shown items with the caller's list of projects. Adds a sentence per hidden project. */
export async function compareProjects(
  fixture: Fixture,
  view: CallerView,
  {
    archived,
    itemsOfDetails,
  }: { readonly archived: ReadonlySet<unknown>; readonly itemsOfDetails: readonly ShownItem[] },
): Promise<void> {
  const projects = await projectsOf(fixture, view);
  const shown = [...itemsOfDetails];
  for (const template of lists.filter((list) => !list.includes('{')))
    for (const request of requestsOfList(fixture, template))
      shown.push(...(await view.list(request)).items.map((item) => ({ template, item })));
  const wrong = new Set<string>();
  for (const { template, item } of shown) {
    const { projectId } = item;
    if (typeof projectId !== 'number' || projects.has(projectId)) continue;
    if (!(await isAllowed(view, { template, item }, archived)))
      wrong.add(`${view.kind}: ${template} shows a record of the hidden project ${projectId}`);
  }
  view.wrong.push(...wrong);
}
