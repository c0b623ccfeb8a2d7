import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, nullable, Time, wordOf } from '../../shapes.ts';
import { StoredResults } from '../notifications/notifications.ts';

/** The newest rows of a query that a run of a subscription stored. */
export const LastResult = Type.Object(
  {
    notificationId: Id,
    subscriptionId: nullable(Id),
    ranAt: Time,
    origin: wordOf(['Schedule', 'Test']),
    startedByUserName: nullable(
      Type.String({ description: 'User who started the run; null: the schedule started it.' }),
    ),
    versionNumber: nullable(Type.Integer({ description: 'Version that ran; null if it is unknown.' })),
    resultCount: nullable(
      Type.Integer({ description: 'Rows of the result. Not all of them may be stored.' }),
    ),
    results: StoredResults,
  },
  { $id: 'LastResult' },
);
export type LastResult = Static<typeof LastResult>;

export const getLastResult = defineEndpoint({
  operationId: 'getLastResult',
  tag: 'queries',
  summary: 'The newest stored rows of a query that the caller may see',
  method: 'GET',
  path: '/svc/api/queries/{id}/last-result',
  params: IdParams,
  query: Type.Object({
    subscriptionId: Type.Optional(Type.Integer({ ...Id, description: 'Only runs of this subscription.' })),
    taskId: Type.Optional(
      Type.Integer({
        ...Id,
        description:
          'Only runs that ended while this task was open. A task that the caller cannot read gets the same response as a missing task: no rows.',
      }),
    ),
  }),
  responses: {
    200: Type.Object({ lastResult: nullable(LastResult) }, { description: 'Null: no run has stored rows.' }),
  },
  access: access.read({ project: 'readable' }),
});
