import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { IdParams, NumberFormat, wordOf } from '../../shapes.ts';

export const signingStates = ['Off', 'On', 'Rotating', 'Unreadable'] as const;
export type SigningState = (typeof signingStates)[number];

const tag = 'recipients';

/** Retries of a failed delivery by the service. */
export const RetryPolicy = Type.Object({
  retriesMax: Type.Integer({
    minimum: 0,
    maximum: 10,
    description: 'Number of further attempts after a failed one. Default 0: none.',
  }),
  delaySeconds: Type.Integer({
    minimum: 5,
    maximum: 86_400,
    description:
      'Seconds until the first further attempt. Each later wait is twice as long. A longer `Retry-After` of a 429 or 503 response applies instead, up to one day. After a 410 response, no attempt follows.',
  }),
});
export type RetryPolicy = Static<typeof RetryPolicy>;

/** Delivery settings of a recipient, except its destination. */
export const RecipientSettings = Type.Object(
  {
    signing: wordOf(signingStates),
    retryPolicy: RetryPolicy,
    numbers: NumberFormat,
  },
  { $id: 'RecipientSettings' },
);
export type RecipientSettings = Static<typeof RecipientSettings>;

export const getRecipientSettings = defineEndpoint({
  operationId: 'getRecipientSettings',
  tag,
  summary: 'Settings for messages to a recipient: signatures, retries and number format',
  method: 'GET',
  path: '/svc/api/recipients/{id}/delivery-settings',
  params: IdParams,
  responses: { 200: RecipientSettings },
  access: access.read({ or: ['SecurityAdmin'] }),
});

export const setRetryPolicy = defineEndpoint({
  operationId: 'setRetryPolicy',
  tag,
  summary: 'Sets how often the service retries a failed delivery',
  method: 'PUT',
  path: '/svc/api/recipients/{id}/retry-policy',
  params: IdParams,
  body: RetryPolicy,
  responses: { 200: RecipientSettings },
  access: access.administer('SecurityAdmin'),
});

export const setNumberFormat = defineEndpoint({
  operationId: 'setNumberFormat',
  tag,
  summary: 'Sets the format of large whole numbers and decimals in messages',
  method: 'PUT',
  path: '/svc/api/recipients/{id}/number-format',
  params: IdParams,
  body: Type.Object({ numbers: NumberFormat }),
  responses: { 200: RecipientSettings },
  access: access.administer('SecurityAdmin'),
});

export const createSigningSecret = defineEndpoint({
  operationId: 'createSigningSecret',
  tag,
  summary: 'Creates a signing secret for a webhook; the previous secret also signs until it is removed',
  method: 'POST',
  path: '/svc/api/recipients/{id}/signing-secrets',
  params: IdParams,
  responses: {
    201: Type.Object({
      secret: Type.String({ description: '`whsec_` and base64. Only this response contains the secret.' }),
      signing: wordOf(signingStates),
    }),
  },
  tellsSecretOnce: true,
  access: access.administer('SecurityAdmin'),
  refusals: { 409: 'Only messages to webhooks can be signed.' },
});

export const removePreviousSigningSecret = defineEndpoint({
  operationId: 'removePreviousSigningSecret',
  tag,
  summary: 'Removes the previous signing secret; only the current one signs from then on',
  method: 'DELETE',
  path: '/svc/api/recipients/{id}/signing-secrets/previous',
  params: IdParams,
  responses: { 204: null },
  access: access.administer('SecurityAdmin'),
});

export const removeSigningSecrets = defineEndpoint({
  operationId: 'removeSigningSecrets',
  tag,
  summary: 'Removes all signing secrets; messages are no longer signed',
  method: 'DELETE',
  path: '/svc/api/recipients/{id}/signing-secrets',
  params: IdParams,
  responses: { 204: null },
  access: access.administer('SecurityAdmin'),
});
