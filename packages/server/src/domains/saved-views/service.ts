import {
  type BodyOf,
  type createSavedView,
  type SavedView,
  savedViewsMax,
  type updateSavedView,
} from '@svc/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { conflict, notFound } from '../../platform/http/index.ts';
import {
  countViews,
  deleteView,
  findView,
  insertView,
  listViews,
  lockViews,
  updateView,
  type ViewRow,
} from './store.ts';

export type SavedViewsService = {
  readonly list: (caller: Caller, list: string) => Promise<{ items: SavedView[] }>;
  readonly create: (caller: Caller, view: BodyOf<typeof createSavedView>) => Promise<SavedView>;
  readonly update: (caller: Caller, id: number, change: BodyOf<typeof updateSavedView>) => Promise<SavedView>;
  readonly remove: (caller: Caller, id: number) => Promise<void>;
};

const present = ({ id, list, name, search, createdTime }: ViewRow): SavedView => ({
  id,
  list,
  name,
  search,
  createdTime: createdTime.toISOString(),
});

const nameTaken = (name: string) =>
  conflict('view-exists', `You have a view called ${name} already.`, [
    { path: '/name', message: 'is the name of another view' },
  ]);

/** Creates the service for views of lists. A view belongs to one user. The list applies the rights of its caller. */
export function createSavedViewsService({ database }: { readonly database: Database }): SavedViewsService {
  return {
    list: async (caller, list) => ({
      items: (await listViews(database, ownerOf(caller), list)).map(present),
    }),

    create: (caller, view) =>
      database.transaction(async (tx) => {
        const userId = ownerOf(caller);
        await lockViews(tx, userId);
        if ((await countViews(tx, userId, view.list)) >= savedViewsMax)
          throw conflict('too-many-views', `A list has at most ${savedViewsMax} views.`);
        const name = view.name.trim();
        const created = await insertView(tx, userId, { ...view, name });
        if (!created) throw nameTaken(name);
        return present(created);
      }),

    update: (caller, id, { name, search }) =>
      database.transaction(async (tx) => {
        const userId = ownerOf(caller);
        await lockViews(tx, userId);
        const before = await findView(tx, userId, id);
        if (!before) throw notFound();
        const changed = { ...before, name: name?.trim() ?? before.name, search: search ?? before.search };
        if (!(await updateView(tx, userId, changed))) throw nameTaken(changed.name);
        return present(changed);
      }),

    remove: async (caller, id) => {
      if (!(await deleteView(database, ownerOf(caller), id))) throw notFound();
    },
  };
}

/** Returns the user of a session. Sessions exist only for stored users. */
function ownerOf({ userId }: Caller): number {
  if (userId === null) throw notFound();
  return userId;
}
