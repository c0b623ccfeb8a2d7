import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, nullable, wordOf } from '../../shapes.ts';
import { notificationTypes } from '../recipients/recipients.ts';

const tag = 'subscriptions';

export const previewSources = ['LastRun', 'DryRun'] as const;
export type PreviewSource = (typeof previewSources)[number];

const Payload = {
  notificationType: wordOf(notificationTypes),
  contentType: Type.String(),
  subject: nullable(Type.String({ description: 'For email only.' })),
  text: nullable(Type.String({ description: 'For email only: the text part without HTML.' })),
  body: nullable(
    Type.String({
      description:
        'Body of the message as it would be sent. Null if a body template produces it and the caller may not see templates.',
    }),
  ),
  bytes: nullable(Type.Integer()),
  isDefault: Type.Boolean({ description: 'False if a body template produced the body.' }),
  findings: Type.Array(
    Type.Object({ code: Type.String(), text: Type.String() }, { description: 'Notes about the message.' }),
  ),
};

/** A message as one or more recipients receive it. */
export const PayloadPreview = Type.Object({
  ...Payload,
  isSigned: Type.Boolean({ description: 'Sending adds three signature headers.' }),
  headerNames: Type.Array(Type.String(), {
    description: 'Names of the custom headers. Their values are secrets.',
  }),
  recipients: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      problem: nullable(Type.String({ description: 'Reason why the recipient would receive nothing.' })),
    }),
  ),
});
export type PayloadPreview = Static<typeof PayloadPreview>;

const RoutedRows = Type.Object({
  recipientId: nullable(Id, {
    description: 'Recipient whose message is shown; null: the message that all recipients receive.',
  }),
  recipients: Type.Array(Type.Object({ id: Id, name: Type.String(), rowCount: Type.Integer() })),
  unroutedCount: nullable(
    Type.Integer({
      description: 'Rows that no recipient would receive; null if the number is no longer known.',
    }),
  ),
});

export const MessagePreview = Type.Object(
  {
    source: wordOf(previewSources),
    notificationId: nullable(Type.Integer({ description: 'Run of the message.' })),
    outcome: wordOf(['Notify', 'NoResults', 'BelowThreshold', 'Silenced']),
    totalRows: nullable(
      Type.Integer({
        description: 'Null for a run that timed out, and for a message that reports no rows.',
      }),
    ),
    attachment: nullable(
      Type.Object({ name: Type.String(), contentType: Type.String(), rowCount: Type.Integer() }),
    ),
    routed: nullable(RoutedRows, {
      description:
        'With row routing: the number of rows of each recipient. Null: all recipients receive the same rows.',
    }),
    payloads: Type.Array(PayloadPreview),
  },
  { $id: 'MessagePreview' },
);
export type MessagePreview = Static<typeof MessagePreview>;

export const previewMessages = defineEndpoint({
  operationId: 'previewMessages',
  tag,
  summary: 'Previews the message of each recipient, from the last run or a dry run; nothing is sent',
  method: 'POST',
  path: '/svc/api/subscriptions/{id}/message-preview',
  params: IdParams,
  body: Type.Object({
    source: wordOf(previewSources),
    recipientId: Type.Optional(nullable(Id, { description: 'Shows only the message of this recipient.' })),
    notificationId: Type.Optional(
      nullable(Id, { description: 'With `LastRun`: the run to use instead of the last one.' }),
    ),
  }),
  responses: { 200: MessagePreview },
  access: access.runByPost({ project: 'readable' }),
  refusals: { 409: 'No message of an earlier run is stored, or the query can no longer run.' },
});

export const TemplatePreview = Type.Object(Payload, { $id: 'TemplatePreview' });
export type TemplatePreview = Static<typeof TemplatePreview>;

export const previewTemplate = defineEndpoint({
  operationId: 'previewTemplate',
  tag: 'recipients',
  summary: 'Previews a body template with a sample result; nothing is saved or sent',
  method: 'POST',
  path: '/svc/api/recipients/template-preview',
  body: Type.Object({
    notificationType: wordOf(notificationTypes),
    bodyTemplate: nullable(Type.String({ maxLength: 100_000 })),
  }),
  responses: { 200: TemplatePreview },
  access: access.administer('SecurityAdmin'),
});
