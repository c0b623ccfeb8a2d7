import { type Static, Type } from 'typebox';
import { access } from '../access.ts';
import { defineEndpoint } from '../endpoint.ts';
import { IdParams, NumberFormat, wordOf } from '../shapes.ts';

export const signingStates = ['Off', 'On', 'Rotating', 'Unreadable'] as const;
export type SigningState = (typeof signingStates)[number];

const tag = 'recipients';

/** Retries of a failed delivery by the service. */
export const RetryPolicy = Type.Object({
  retriesMax: Type.Integer({
    minimum: 0,
    maximum: 10,
    description: 'Further attempts after a failed one; 0, the default, makes none.',
  }),
  delaySeconds: Type.Integer({
    minimum: 5,
    maximum: 86_400,
    description:
      'Wait before the first of them; each one doubles it. An answer 429 or 503 whose `Retry-After` asks for more is left alone for so long, a day at most; after 410 none is made.',
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
  summary: 'How a recipient is delivered to: signatures and repetitions',
  method: 'GET',
  path: '/svc/api/recipients/{id}/delivery-settings',
  params: IdParams,
  responses: { 200: RecipientSettings },
  access: access.read({ or: ['SecurityAdmin'] }),
});

export const setRetryPolicy = defineEndpoint({
  operationId: 'setRetryPolicy',
  tag,
  summary: 'Sets how often a failed delivery is repeated by the service itself',
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
  summary: 'Sets the form of large whole numbers and decimals in the records of messages',
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
  summary: 'Makes a signing secret for a webhook; an earlier one signs too until it is removed',
  method: 'POST',
  path: '/svc/api/recipients/{id}/signing-secrets',
  params: IdParams,
  responses: {
    201: Type.Object({
      secret: Type.String({ description: 'Shown this once: `whsec_` and base64.' }),
      signing: wordOf(signingStates),
    }),
  },
  tellsSecretOnce: true,
  access: access.administer('SecurityAdmin'),
  refusals: { 409: 'Only webhooks are signed.' },
});

export const removePreviousSigningSecret = defineEndpoint({
  operationId: 'removePreviousSigningSecret',
  tag,
  summary: 'Ends a change of signing secrets: the earlier one signs no more',
  method: 'DELETE',
  path: '/svc/api/recipients/{id}/signing-secrets/previous',
  params: IdParams,
  responses: { 204: null },
  access: access.administer('SecurityAdmin'),
});

export const removeSigningSecrets = defineEndpoint({
  operationId: 'removeSigningSecrets',
  tag,
  summary: 'Turns signatures off',
  method: 'DELETE',
  path: '/svc/api/recipients/{id}/signing-secrets',
  params: IdParams,
  responses: { 204: null },
  access: access.administer('SecurityAdmin'),
});
