import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { Id, IdParams, nullable, wordOf } from '../shapes.ts';
import { notificationTypes } from './recipients.ts';

const tag = 'subscriptions';

export const previewSources = ['LastRun', 'DryRun'] as const;
export type PreviewSource = (typeof previewSources)[number];

const Payload = {
  notificationType: wordOf(notificationTypes),
  contentType: Type.String(),
  subject: nullable(Type.String({ description: 'Email only.' })),
  text: nullable(Type.String({ description: 'Email only: the plain-text part.' })),
  body: nullable(
    Type.String({
      description:
        'Exactly what would be sent. Null where a body template shapes it and the caller may not see templates.',
    }),
  ),
  bytes: nullable(Type.Integer()),
  isDefault: Type.Boolean({ description: 'False when a body template shaped it.' }),
  findings: Type.Array(
    Type.Object({ code: Type.String(), text: Type.String() }, { description: 'What to know about it.' }),
  ),
};

/** A message as one or more recipients receive it. */
export const PayloadPreview = Type.Object({
  ...Payload,
  isSigned: Type.Boolean({ description: 'Three signature headers are added when it is sent.' }),
  headerNames: Type.Array(Type.String(), { description: 'Custom headers; their values are secrets.' }),
  recipients: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      problem: nullable(Type.String({ description: 'Why it would get nothing.' })),
    }),
  ),
});
export type PayloadPreview = Static<typeof PayloadPreview>;

const RoutedRows = Type.Object({
  recipientId: nullable(Id, { description: 'Whose message is shown; null: what everybody gets.' }),
  recipients: Type.Array(Type.Object({ id: Id, name: Type.String(), rowCount: Type.Integer() })),
  unroutedCount: nullable(
    Type.Integer({ description: 'Rows that nobody would get; null where it is not known any more.' }),
  ),
});

export const MessagePreview = Type.Object(
  {
    source: wordOf(previewSources),
    notificationId: nullable(Type.Integer({ description: 'The run whose message it is.' })),
    outcome: wordOf(['Notify', 'NoResults', 'BelowThreshold', 'Silenced']),
    totalRows: nullable(
      Type.Integer({
        description: 'Null for a run that timed out, and for a message that tells of no rows.',
      }),
    ),
    attachment: nullable(
      Type.Object({ name: Type.String(), contentType: Type.String(), rowCount: Type.Integer() }),
    ),
    routed: nullable(RoutedRows, {
      description: 'Where recipients get rows of their own: who gets how many. Null: all get the same.',
    }),
    payloads: Type.Array(PayloadPreview),
  },
  { $id: 'MessagePreview' },
);
export type MessagePreview = Static<typeof MessagePreview>;

export const previewMessages = defineEndpoint({
  operationId: 'previewMessages',
  tag,
  summary: 'What each recipient would get, from the last run or a dry run; nothing is sent',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/message-preview',
  params: IdParams,
  body: Type.Object({
    source: wordOf(previewSources),
    recipientId: Type.Optional(nullable(Id, { description: 'Shows what this recipient gets alone.' })),
    notificationId: Type.Optional(nullable(Id, { description: 'With `LastRun`: this run in its place.' })),
  }),
  responses: { 200: MessagePreview },
  access: access.runByPost({ project: 'readable' }),
  refusals: { 409: 'No message of an earlier run is kept, or the query cannot run any more.' },
});

export const TemplatePreview = Type.Object(Payload, { $id: 'TemplatePreview' });
export type TemplatePreview = Static<typeof TemplatePreview>;

export const previewTemplate = defineEndpoint({
  operationId: 'previewTemplate',
  tag: 'recipients',
  summary: 'What a body template gives for a sample result; nothing is saved or sent',
  method: 'POST',
  path: '/svc/api/recipients/template-preview',
  body: Type.Object({
    notificationType: wordOf(notificationTypes),
    bodyTemplate: nullable(Type.String({ maxLength: 100_000 })),
  }),
  responses: { 200: TemplatePreview },
  access: access.administer('SecurityAdmin'),
});
