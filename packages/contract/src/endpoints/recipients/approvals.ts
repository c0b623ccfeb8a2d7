import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../../shapes.ts';
import { definitionParts } from '../queries/query-versions.ts';
import { notificationTypes } from './recipients.ts';

const tag = 'approvals';

/** Subjects of an approval request. */
export const changeKinds = ['Recipient', 'Query', 'Plan'] as const;
export type ChangeKind = (typeof changeKinds)[number];
export const changeStatuses = ['Pending', 'Approved', 'Rejected', 'Withdrawn'] as const;
export type ChangeStatus = (typeof changeStatuses)[number];
/** Changes that need approval: of a recipient, and of the definition of a query. */
export const changedParts = ['NotificationType', 'Destination', 'CustomHeaders', ...definitionParts] as const;
export type ChangedPart = (typeof changedParts)[number];

/** Fields of every approval request. */
export const changeFields = {
  id: Id,
  kind: wordOf(changeKinds),
  targetId: Id,
  targetName: Type.String(),
  planId: nullable(Id, {
    description:
      'Plan of an AI actor, which has its own routes for reading and deciding; null for other kinds.',
  }),
  projectName: nullable(Type.String({ description: 'Null if the record belongs to no project.' })),
  status: wordOf(changeStatuses),
  isNew: Type.Boolean({ description: 'The record itself is new, so no approved state exists.' }),
  changedParts: Type.Array(wordOf(changedParts), {
    description: 'Parts that differ from the approved state.',
  }),
  requestedByUserName: nullable(Type.String()),
  isOwn: Type.Boolean({
    description: 'The caller made the request and therefore cannot approve or reject it.',
  }),
  createdTime: Time,
  submittedAt: Type.String({ format: 'date-time', description: 'Time of the last change by the requester.' }),
  decidedByUserName: nullable(Type.String()),
  decidedAt: nullable(Time),
  comment: nullable(Type.String({ description: 'Comment of the reviewer.' })),
};

export const Change = Type.Object(changeFields, { $id: 'Change' });
export type Change = Static<typeof Change>;

export const RecipientView = Type.Object({
  isReadable: Type.Boolean({ description: 'False if it can no longer be decrypted.' }),
  notificationType: nullable(wordOf(notificationTypes)),
  parts: Type.Array(Type.Object({ label: Type.String(), value: Type.String() }), {
    description: 'The destination, with its secrets masked.',
  }),
  headers: Type.Array(Type.Object({ name: Type.String(), fingerprint: Type.String() }), {
    description: 'Names of the custom headers, each with a fingerprint of its value.',
  }),
  fingerprint: nullable(
    Type.String({ description: 'Fingerprint of type, destination and headers together.' }),
  ),
});
export type RecipientView = Static<typeof RecipientView>;

export const ChangeDetail = Type.Object(
  {
    ...changeFields,
    before: nullable(RecipientView),
    after: RecipientView,
    looksEqual: Type.Boolean({
      description:
        'Both sides differ but look the same. An approval needs a comment that states how the reviewer checked the difference.',
    }),
    changeHash: nullable(
      Type.String({
        description:
          'Hash of the displayed change. The approval request must contain it. Null once the request is no longer pending.',
      }),
    ),
    subscriptionCount: Type.Integer({ description: 'Subscriptions that send to the recipient.' }),
  },
  { $id: 'ChangeDetail' },
);
export type ChangeDetail = Static<typeof ChangeDetail>;

export const DecisionComment = nullable(Type.String({ maxLength: 2_000 }));
const over = 'The request is no longer pending, or the recipient changed after the caller read the request.';

export const listChanges = defineEndpoint({
  operationId: 'listChanges',
  tag,
  summary: 'Approval requests of every kind and status',
  method: 'GET',
  path: '/svc/api/approvals/changes',
  query: Type.Object({
    ...listQuery,
    status: Type.Optional(wordOf(changeStatuses)),
    kind: Type.Optional(wordOf(changeKinds)),
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Part of the name of the changed record.' }),
    ),
  }),
  responses: { 200: pageOf(Change) },
  access: access.administerRead('Approver'),
});

export const getChange = defineEndpoint({
  operationId: 'getChange',
  tag,
  summary: 'One request about a recipient, with the state before and after the change',
  method: 'GET',
  path: '/svc/api/approvals/changes/{id}',
  params: IdParams,
  responses: { 200: ChangeDetail },
  access: access.administerRead('Approver'),
});

export const ApproveChangeInput = Type.Object({
  changeHash: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The `changeHash` of the request that the caller reviewed.',
  }),
  comment: Type.Optional(DecisionComment),
});

export const approveChange = defineEndpoint({
  operationId: 'approveChange',
  tag,
  summary: 'Approves a change by another user',
  method: 'POST',
  path: '/svc/api/approvals/changes/{id}/approve',
  params: IdParams,
  body: ApproveChangeInput,
  responses: { 204: null },
  access: access.administer('Approver'),
  refusals: {
    400: 'Both sides look the same, and the request has no comment that states how the difference was checked.',
    409: over,
  },
});

export const RejectChangeInput = Type.Object({ comment: Type.Optional(DecisionComment) });

export const rejectChange = defineEndpoint({
  operationId: 'rejectChange',
  tag,
  summary: 'Rejects a change by another user',
  method: 'POST',
  path: '/svc/api/approvals/changes/{id}/reject',
  params: IdParams,
  body: RejectChangeInput,
  responses: { 204: null },
  access: access.administer('Approver'),
  refusals: { 409: 'The request is no longer pending.' },
});

export const withdrawChange = defineEndpoint({
  operationId: 'withdrawChange',
  tag,
  summary: "Withdraws the caller's own change and restores the approved state",
  method: 'POST',
  path: '/svc/api/approvals/changes/{id}/withdraw',
  params: IdParams,
  responses: { 204: null },
  access: access.administer('SecurityAdmin'),
  refusals: { 409: 'The request is no longer pending, or no approved state exists.' },
});
