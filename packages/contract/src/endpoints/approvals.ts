import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, listQuery, nullable, pageOf, Time, wordOf } from '../shapes.ts';
import { definitionParts } from './query-versions.ts';
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
      'The plan of an AI actor, which is opened and decided by its own routes; null for other kinds.',
  }),
  projectName: nullable(Type.String({ description: 'Null where the record belongs to no project.' })),
  status: wordOf(changeStatuses),
  isNew: Type.Boolean({ description: 'The record itself is new: there is nothing before.' }),
  changedParts: Type.Array(wordOf(changedParts), { description: 'What differs from what was approved.' }),
  requestedByUserName: nullable(Type.String()),
  isOwn: Type.Boolean({ description: 'The caller made the request, and so cannot approve or reject it.' }),
  createdTime: Time,
  submittedAt: Type.String({ format: 'date-time', description: 'When its requester last changed it.' }),
  decidedByUserName: nullable(Type.String()),
  decidedAt: nullable(Time),
  comment: nullable(Type.String({ description: "The reviewer's." })),
};

export const Change = Type.Object(changeFields, { $id: 'Change' });
export type Change = Static<typeof Change>;

export const RecipientView = Type.Object({
  isReadable: Type.Boolean({ description: 'False when it cannot be decrypted any more.' }),
  notificationType: nullable(wordOf(notificationTypes)),
  parts: Type.Array(Type.Object({ label: Type.String(), value: Type.String() }), {
    description: 'The destination, with everything masked that is a secret.',
  }),
  headers: Type.Array(Type.Object({ name: Type.String(), fingerprint: Type.String() }), {
    description: 'Names of the custom headers, each with a fingerprint of its value.',
  }),
  fingerprint: nullable(Type.String({ description: 'Of type, destination and headers together.' })),
});
export type RecipientView = Static<typeof RecipientView>;

export const ChangeDetail = Type.Object(
  {
    ...changeFields,
    before: nullable(RecipientView),
    after: RecipientView,
    looksEqual: Type.Boolean({
      description:
        'Both sides look the same although they differ: approving needs a comment on how it was checked.',
    }),
    changeHash: nullable(
      Type.String({
        description: 'Stands for what is shown; approving sends it back. Null once the request is over.',
      }),
    ),
    subscriptionCount: Type.Integer({ description: 'Subscriptions that send to the recipient.' }),
  },
  { $id: 'ChangeDetail' },
);
export type ChangeDetail = Static<typeof ChangeDetail>;

export const DecisionComment = nullable(Type.String({ maxLength: 2_000 }));
const over = 'The request is over, or the recipient changed since it was opened.';

export const listChanges = defineEndpoint({
  operationId: 'listChanges',
  tag,
  summary: 'Requests to approve a change, of every kind and however they stand',
  method: 'GET',
  path: '/svc/api/approvals/changes',
  query: Type.Object({
    ...listQuery,
    status: Type.Optional(wordOf(changeStatuses)),
    kind: Type.Optional(wordOf(changeKinds)),
    search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name of what changes.' })),
  }),
  responses: { 200: pageOf(Change) },
  access: access.administerRead('Approver'),
});

export const getChange = defineEndpoint({
  operationId: 'getChange',
  tag,
  summary: 'One request about a recipient, with before and after',
  method: 'GET',
  path: '/svc/api/approvals/changes/{id}',
  params: IdParams,
  responses: { 200: ChangeDetail },
  access: access.administerRead('Approver'),
});

export const ApproveChangeInput = Type.Object({
  changeHash: Type.String({ minLength: 1, maxLength: 200, description: 'As the request was shown.' }),
  comment: Type.Optional(DecisionComment),
});

export const approveChange = defineEndpoint({
  operationId: 'approveChange',
  tag,
  summary: 'Approves a change that somebody else made',
  method: 'POST',
  path: '/svc/api/approvals/changes/{id}/approve',
  params: IdParams,
  body: ApproveChangeInput,
  responses: { 204: null },
  access: access.administer('Approver'),
  refusals: { 400: 'Both sides look the same, and no comment says how it was checked.', 409: over },
});

export const RejectChangeInput = Type.Object({ comment: Type.Optional(DecisionComment) });

export const rejectChange = defineEndpoint({
  operationId: 'rejectChange',
  tag,
  summary: 'Rejects a change that somebody else made',
  method: 'POST',
  path: '/svc/api/approvals/changes/{id}/reject',
  params: IdParams,
  body: RejectChangeInput,
  responses: { 204: null },
  access: access.administer('Approver'),
  refusals: { 409: 'The request is over.' },
});

export const withdrawChange = defineEndpoint({
  operationId: 'withdrawChange',
  tag,
  summary: 'Takes back a change of the caller, so that what was approved holds again',
  method: 'POST',
  path: '/svc/api/approvals/changes/{id}/withdraw',
  params: IdParams,
  responses: { 204: null },
  access: access.administer('SecurityAdmin'),
  refusals: { 409: 'The request is over, or there is nothing approved to go back to.' },
});
