import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, NonBlank, Time } from '../../shapes.ts';

const tag = 'saved-views';
const path = '/svc/api/saved-views';
const nameLengthMax = 80;
const searchLengthMax = 2_000;

/** Saved views of one list and user, at most. */
export const savedViewsMax = 50;

/** Name of a list, as its page defines it: `subscriptions`. */
const List = Type.String({ pattern: '^[a-z][a-z-]{0,39}$' });
/** Filter and sort order, as in the query string of the page: `state=All&sort=-name`. */
const Search = Type.String({
  maxLength: searchLengthMax,
  pattern: '^([\\w.~-]+=[^&#\\s]*(&[\\w.~-]+=[^&#\\s]*)*)?$',
  description: 'Search, filters and sort order, as in the query string of the page.',
});

/** A saved filter and sort order of a list. */
export const SavedView = Type.Object(
  { id: Id, list: Type.String(), name: Type.String(), search: Type.String(), createdTime: Time },
  { $id: 'SavedView' },
);
export type SavedView = Static<typeof SavedView>;

export const listSavedViews = defineEndpoint({
  operationId: 'listSavedViews',
  tag,
  summary: "The caller's saved views of a list, by name",
  method: 'GET',
  path,
  query: Type.Object({ list: List }),
  responses: { 200: Type.Object({ items: Type.Array(SavedView) }) },
  access: access.sessionRead(),
});

export const createSavedView = defineEndpoint({
  operationId: 'createSavedView',
  tag,
  summary: 'Saves the filters and the sort order of a list, for the caller only',
  method: 'POST',
  path,
  body: Type.Object({ list: List, name: NonBlank(nameLengthMax), search: Search }),
  responses: { 201: SavedView },
  sends: ['Location'],
  access: access.session(),
  refusals: { 409: 'The list has a view with this name, or the maximum number of views.' },
});

export const updateSavedView = defineEndpoint({
  operationId: 'updateSavedView',
  tag,
  summary: "Renames one of the caller's saved views, or replaces its filters and sort order",
  method: 'PATCH',
  path: `${path}/{id}`,
  params: IdParams,
  body: Type.Object({ name: Type.Optional(NonBlank(nameLengthMax)), search: Type.Optional(Search) }),
  responses: { 200: SavedView },
  access: access.session(),
  refusals: { 409: 'The list has a view with this name.' },
});

export const deleteSavedView = defineEndpoint({
  operationId: 'deleteSavedView',
  tag,
  summary: "Deletes one of the caller's saved views",
  method: 'DELETE',
  path: `${path}/{id}`,
  params: IdParams,
  responses: { 204: null },
  access: access.session(),
});
