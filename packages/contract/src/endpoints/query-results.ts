import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, nullable, Time, wordOf } from '../shapes.ts';
import { StoredResults } from './notifications.ts';

/** The newest rows of a query that a run of a subscription stored. */
export const LastResult = Type.Object(
  {
    notificationId: Id,
    subscriptionId: nullable(Id),
    ranAt: Time,
    origin: wordOf(['Schedule', 'Test']),
    startedByUserName: nullable(Type.String({ description: 'Who ran it by hand; null: the schedule did.' })),
    versionNumber: nullable(Type.Integer({ description: 'The version that ran; null where none is known.' })),
    resultCount: nullable(Type.Integer({ description: 'Rows that came out, of which some may be kept.' })),
    results: StoredResults,
  },
  { $id: 'LastResult' },
);
export type LastResult = Static<typeof LastResult>;

export const getLastResult = defineEndpoint({
  operationId: 'getLastResult',
  tag: 'queries',
  summary: 'The newest rows of a query that a run kept and that the caller may see',
  method: 'GET',
  path: '/svc/api/queries/{id}/last-result',
  params: IdParams,
  query: Type.Object({
    subscriptionId: Type.Optional(Type.Integer({ ...Id, description: 'Only runs of this subscription.' })),
    taskId: Type.Optional(
      Type.Integer({ ...Id, description: 'Only runs that ended while this task was open.' }),
    ),
  }),
  responses: {
    200: Type.Object({ lastResult: nullable(LastResult) }, { description: 'Null: no run has kept rows.' }),
  },
  access: access.read({ project: 'readable' }),
});
