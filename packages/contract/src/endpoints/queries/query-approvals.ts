import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, wordOf } from '../../shapes.ts';
import { plural } from '../../wording.ts';
import { Change, changeFields, changeKinds, DecisionComment } from '../recipients/approvals.ts';
import { ParameterValues, QueryParameter, runRefusals } from './queries.ts';
import { DefinitionDifference, queryVersionSources, StoredStep } from './query-versions.ts';

const tag = 'approvals';

/** One side of a change of a query, as reviewers read it. */
export const QueryDefinitionView = Type.Object({
  versionId: Id,
  versionNumber: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  description: nullable(Type.String()),
  steps: Type.Array(
    Type.Object({
      ...StoredStep.properties,
      dataSourceName: nullable(
        Type.String({ description: 'Null if the data source is no longer linked to the project.' }),
      ),
      isSourceLinked: Type.Boolean(),
    }),
  ),
  finalQuery: nullable(Type.String()),
  parameters: Type.Array(QueryParameter),
});
export type QueryDefinitionView = Static<typeof QueryDefinitionView>;

/** Subscriptions of a query that are listed by name; the rest is counted. */
export const namedUsesMax = 50;

const Use = Type.Object({
  subscriptionId: Id,
  cronExpression: Type.String(),
  timeZone: Type.String(),
  ownerUserName: nullable(Type.String()),
  recipientNames: Type.Array(Type.String()),
});

export const QueryApproval = Type.Object(
  {
    ...changeFields,
    projectId: Id,
    changeSource: wordOf(queryVersionSources),
    changeReason: nullable(Type.String({ description: 'Reason given by the requester.' })),
    proposed: QueryDefinitionView,
    active: nullable(
      Type.Object(QueryDefinitionView.properties, {
        description: 'Definition in use before the decision; null for a new query.',
      }),
    ),
    parts: Type.Array(DefinitionDifference),
    approvalHash: nullable(
      Type.String({
        description:
          'Hash of both definitions. The approval request must contain it. Null once the request is no longer pending.',
      }),
    ),
    usedBy: Type.Object({
      subscriptionCount: Type.Integer(),
      recipientCount: Type.Integer({ description: 'Distinct recipients of all its subscriptions.' }),
      subscriptions: Type.Array(Use, { description: `The first ${plural(namedUsesMax, 'subscription')}.` }),
    }),
    canCompare: Type.Boolean({
      description: 'The caller can read the project and may therefore see its rows.',
    }),
  },
  { $id: 'QueryApproval' },
);
export type QueryApproval = Static<typeof QueryApproval>;

const over = 'The request is no longer pending, or its subject changed after the caller read the request.';

export const listPendingApprovals = defineEndpoint({
  operationId: 'listPendingApprovals',
  tag,
  summary: 'Pending approval requests of every kind',
  method: 'GET',
  path: '/svc/api/approvals/pending',
  query: Type.Object({
    ...listQuery,
    kind: Type.Optional(wordOf(changeKinds)),
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Part of the name of the changed record.' }),
    ),
  }),
  responses: { 200: pageOf(Change) },
  access: access.administerRead('Approver'),
});

export const getApproval = defineEndpoint({
  operationId: 'getApproval',
  tag,
  summary: 'One request about a query, with both definitions and the affected subscriptions',
  method: 'GET',
  path: '/svc/api/approvals/{id}',
  params: IdParams,
  responses: { 200: QueryApproval },
  access: access.administerRead('Approver'),
});

export const ApproveQueryBody = Type.Object({
  approvalHash: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The `approvalHash` of the request that the caller reviewed.',
  }),
  comment: Type.Optional(DecisionComment),
});

export const approveQuery = defineEndpoint({
  operationId: 'approveQuery',
  tag,
  summary: 'Approves a definition that another user proposed; runs use it from then on',
  method: 'POST',
  path: '/svc/api/approvals/{id}/approve',
  params: IdParams,
  body: ApproveQueryBody,
  responses: { 204: null },
  access: access.administer('Approver'),
  refusals: { 409: `${over} Or one of its data sources is no longer linked.` },
});

export const RejectQueryBody = Type.Object({
  comment: Type.String({
    minLength: 1,
    maxLength: 2_000,
    pattern: '\\S',
    description: 'Reason of the rejection.',
  }),
});

export const rejectQuery = defineEndpoint({
  operationId: 'rejectQuery',
  tag,
  summary: 'Rejects a definition that another user proposed, with a reason',
  method: 'POST',
  path: '/svc/api/approvals/{id}/reject',
  params: IdParams,
  body: RejectQueryBody,
  responses: { 204: null },
  access: access.administer('Approver'),
  refusals: { 409: 'The request is no longer pending.' },
});

/** Rows of each kind that a comparison shows. */
export const comparedRowsMax = 20;

const Row = Type.Array(Type.Unknown());

const Side = Type.Object({
  totalCount: Type.Integer(),
  isComplete: Type.Boolean({ description: 'False: the result has more rows than a comparison reads.' }),
  executionTimeMs: Type.Number(),
});

export const ResultComparison = Type.Object(
  {
    before: nullable(Side),
    after: Side,
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        change: nullable(wordOf(['Added', 'Removed', 'Retyped'] as const)),
        isMasked: Type.Boolean(),
        isKey: Type.Boolean({
          description: 'The column is part of the key. Rows with equal keys count as the same row.',
        }),
      }),
    ),
    unchangedCount: Type.Integer(),
    addedCount: Type.Integer(),
    removedCount: Type.Integer(),
    changedCount: Type.Integer(),
    added: Type.Array(Row, {
      description: `The first ${comparedRowsMax} added rows, in the order of \`columns\`.`,
    }),
    removed: Type.Array(Row),
    changed: Type.Array(Type.Object({ before: Row, after: Row })),
  },
  { $id: 'ResultComparison' },
);
export type ResultComparison = Static<typeof ResultComparison>;

export const compareApproval = defineEndpoint({
  operationId: 'compareApproval',
  tag,
  summary: 'Runs both definitions and returns the masked rows that differ',
  method: 'POST',
  path: '/svc/api/approvals/{id}/compare',
  params: IdParams,
  body: Type.Object({ parameters: Type.Optional(ParameterValues) }),
  responses: { 200: ResultComparison },
  access: access.administer('Approver'),
  refusals: {
    ...runRefusals,
    409: 'The request is no longer pending, or a data source is no longer linked.',
  },
});
