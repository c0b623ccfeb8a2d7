import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

/** Stored runs of one user, at most. Each new run deletes the oldest run beyond this number. */
export const ownRunsMax = 50;

/** Outcomes of a run for its caller. */
export const ownRunOutcomes = ['Succeeded', 'Failed', 'Stopped'] as const;
export type OwnRunOutcome = (typeof ownRunOutcomes)[number];

export const OwnRun = Type.Object(
  {
    id: Type.Integer({ minimum: 1 }),
    projectId: Id,
    projectName: Type.String(),
    queryId: nullable(
      Type.Integer({ description: 'Null: the run of a draft, even if the draft belongs to a saved query.' }),
    ),
    queryName: nullable(Type.String()),
    versionNumber: nullable(
      Type.Integer({ description: 'Version that ran; null: the executed text is not a stored version.' }),
    ),
    steps: Type.Array(
      Type.Object({
        dataSourceId: Id,
        dataSourceName: nullable(
          Type.String({ description: 'Null if the data source is no longer linked to the project.' }),
        ),
        name: nullable(Type.String()),
        sql: Type.String(),
      }),
    ),
    finalQuery: nullable(Type.String()),
    outcome: wordOf(ownRunOutcomes),
    message: nullable(Type.String({ description: 'Reason of the failure, without values from the data.' })),
    rowCount: nullable(Type.Integer()),
    durationMs: Type.Number(),
    ranAt: Time,
  },
  { $id: 'OwnRun' },
);
export type OwnRun = Static<typeof OwnRun>;

/** Sort names: `ranAt`, `durationMs`; default `-ranAt`. */
export const listOwnRuns = defineEndpoint({
  operationId: 'listOwnRuns',
  tag: 'queries',
  summary: "The caller's own last runs of queries and drafts, newest first",
  method: 'GET',
  path: '/svc/api/queries/own-runs',
  query: Type.Object({ ...listQuery, projectId: Type.Optional(Id), queryId: Type.Optional(Id) }),
  responses: { 200: pageOf(OwnRun) },
  readsLate: true,
  access: access.ownRead(),
});
