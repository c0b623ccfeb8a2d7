import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, listQuery, mapOf, NonBlank, nullable, pageOf, Time, wordOf } from '../../shapes.ts';

export const notificationTypes = ['Email', 'ChatBlocks', 'ChatCards', 'IssueTracker', 'Webhook'] as const;
export type NotificationType = (typeof notificationTypes)[number];
export const recipientStates = ['Approved', 'AwaitingApproval', 'Rejected'] as const;
export type RecipientState = (typeof recipientStates)[number];

const tag = 'recipients';

export const PendingChange = Type.Object({
  id: Type.Integer({ description: 'Id of the request, as in `/svc/api/approvals/changes/{id}`.' }),
  requestedByUserName: nullable(Type.String()),
  submittedAt: Time,
  isOwn: Type.Boolean({ description: 'The caller made the request, and may withdraw it.' }),
});
export type PendingChange = Static<typeof PendingChange>;

export const Recipient = Type.Object(
  {
    id: Id,
    name: Type.String(),
    description: nullable(Type.String()),
    notificationType: wordOf(notificationTypes),
    destination: nullable(
      Type.String({ description: 'Masked. Null for callers who are neither Admin nor SecurityAdmin.' }),
    ),
    customHeaders: nullable(
      mapOf(Type.String(), {
        description: 'Names with masked values. Null for callers who are neither Admin nor SecurityAdmin.',
      }),
    ),
    bodyTemplate: nullable(Type.String()),
    state: wordOf(recipientStates),
    needsDestination: Type.Boolean({
      description: 'The stored destination can no longer be decrypted. Enter it again.',
    }),
    isEncrypted: Type.Boolean({
      description:
        'False for secrets that were stored before encryption was introduced. Save the recipient again, or run `svc secrets rotate`.',
    }),
    pendingChange: nullable(PendingChange),
    subscriptionCount: Type.Integer(),
    contractCount: Type.Integer({ minimum: 0 }),
    isDemo: Type.Boolean(),
    createdTime: Time,
    version: Type.Integer(),
  },
  { $id: 'Recipient' },
);
export type Recipient = Static<typeof Recipient>;

export const RecipientInput = Type.Object({
  notificationType: wordOf(notificationTypes),
  name: NonBlank(200),
  destination: Type.Optional(
    nullable(
      Type.String({
        maxLength: 4_096,
        description:
          'Required for a new recipient. On a change, an absent or masked value leaves the stored destination unchanged.',
      }),
    ),
  ),
  description: Type.Optional(nullable(Type.String({ maxLength: 2_000 }))),
  customHeaders: Type.Optional(
    nullable(
      mapOf(Type.Unknown(), {
        nameLengthMax: 256,
        description:
          'For webhooks only. A masked value leaves the stored value unchanged. {} or null removes all headers.',
      }),
    ),
  ),
  bodyTemplate: Type.Optional(nullable(Type.String({ maxLength: 100_000 }))),
});
export type RecipientInput = Static<typeof RecipientInput>;

export const listRecipients = defineEndpoint({
  operationId: 'listRecipients',
  tag,
  summary: 'Recipients',
  method: 'GET',
  path: '/svc/api/recipients',
  query: Type.Object({
    ...listQuery,
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Part of the name or the description.' }),
    ),
    notificationType: Type.Optional(wordOf(notificationTypes)),
  }),
  responses: { 200: pageOf(Recipient) },
  access: access.read({ or: ['SecurityAdmin'] }),
});

export const getInbox = defineEndpoint({
  operationId: 'getInbox',
  tag,
  summary: "The host's own inbox, as the destination of a webhook; null if the host has none",
  method: 'GET',
  path: '/svc/api/recipients/inbox',
  responses: {
    200: Type.Object({
      inbox: nullable(
        Type.Object({
          destination: Type.String(),
          pageUrl: Type.String({ description: 'Page on that machine that shows the received messages.' }),
        }),
      ),
    }),
  },
  access: access.administerRead('SecurityAdmin'),
});

export const getRecipient = defineEndpoint({
  operationId: 'getRecipient',
  tag,
  summary: 'One recipient',
  method: 'GET',
  path: '/svc/api/recipients/{id}',
  params: IdParams,
  responses: { 200: Recipient },
  sends: ['ETag'],
  access: access.read({ or: ['SecurityAdmin'] }),
});

export const createRecipient = defineEndpoint({
  operationId: 'createRecipient',
  tag,
  summary: 'Adds a recipient',
  method: 'POST',
  path: '/svc/api/recipients',
  body: RecipientInput,
  responses: { 201: Recipient },
  sends: ['Location'],
  access: access.administer('SecurityAdmin'),
  refusals: { 409: 'Another recipient has this name.' },
});

export const updateRecipient = defineEndpoint({
  operationId: 'updateRecipient',
  tag,
  summary: 'Changes a recipient',
  method: 'PUT',
  path: '/svc/api/recipients/{id}',
  params: IdParams,
  body: RecipientInput,
  responses: { 200: Recipient },
  edits: 'Recipient',
  access: access.administer('SecurityAdmin'),
  refusals: {
    403: 'A subscription or data contract that the caller cannot read uses the recipient. The caller may only rename it.',
    409: 'Another recipient has this name, or a change by another user is awaiting approval.',
    412: 'The recipient changed after the caller read it.',
  },
});

export const deleteRecipient = defineEndpoint({
  operationId: 'deleteRecipient',
  tag,
  summary: 'Archives an unused recipient',
  method: 'DELETE',
  path: '/svc/api/recipients/{id}',
  params: IdParams,
  responses: { 204: null },
  edits: 'Recipient',
  access: access.administer('SecurityAdmin'),
  refusals: { 409: 'Subscriptions or data contracts still use it.' },
});

export const RecipientUse = Type.Object(
  {
    subscriptionId: nullable(Id),
    queryId: nullable(Id),
    queryName: nullable(Type.String()),
    contractId: nullable(Id),
    contractName: nullable(Type.String()),
    projectId: Id,
    projectName: Type.String(),
  },
  { $id: 'RecipientUse', description: 'A subscription to a query, or a data contract.' },
);
export type RecipientUse = Static<typeof RecipientUse>;

export const listRecipientUses = defineEndpoint({
  operationId: 'listRecipientUses',
  tag,
  summary: 'Subscriptions and data contracts that use a recipient and that the caller can read',
  method: 'GET',
  path: '/svc/api/recipients/{id}/uses',
  params: IdParams,
  query: Type.Object(listQuery),
  responses: { 200: pageOf(RecipientUse) },
  access: access.read({ or: ['SecurityAdmin'] }),
});
