import { type Static, Type } from 'typebox';
import { access } from '../../access.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { Id, IdParams, nullable } from '../../shapes.ts';
import { ColumnName } from './row-memory.ts';

/** Routes of a subscription, at most. */
export const rowRoutesMax = 1_000;
/** Routes of a subscription whose messages contain XLSX files, at most: all files are written at the same time. */
export const xlsxRoutesMax = 20;
/** Characters of a route value, at most. */
export const routeValueLengthMax = 400;

/** Recipients of the rows that have a value. */
export const RowRoute = Type.Object(
  {
    value: Type.String({
      minLength: 1,
      maxLength: routeValueLengthMax,
      description:
        'Value in the column, unmasked and as text. Decimal numbers have no trailing zeros, and dates have the form YYYY-MM-DD. Upper and lower case differ.',
    }),
    recipientId: Id,
  },
  { $id: 'RowRoute' },
);
export type RowRoute = Static<typeof RowRoute>;

const fallbackRecipientId = nullable(Id, {
  description: 'Attached recipient of the rows without a route; null: no recipient gets these rows.',
});

/** Sends each recipient of a subscription only its rows, by the value in one column of the result. */
export const RowRoutingInput = Type.Object({
  column: ColumnName,
  routes: Type.Array(RowRoute, {
    minItems: 1,
    maxItems: rowRoutesMax,
    description: 'Values and the recipients of their rows. Each recipient is attached to the subscription.',
  }),
  fallbackRecipientId: Type.Optional(fallbackRecipientId),
});
export type RowRoutingInput = Static<typeof RowRoutingInput>;

/** Row routing for every reader of the subscription, without the values. */
export const RowRouting = Type.Object(
  {
    column: Type.String(),
    routeCount: Type.Integer({ minimum: 1 }),
    fallbackRecipientId,
  },
  { $id: 'RowRouting' },
);
export type RowRouting = Static<typeof RowRouting>;

export const listSubscriptionRoutes = defineEndpoint({
  operationId: 'listSubscriptionRoutes',
  tag: 'subscriptions',
  summary: 'Row routes of a subscription, for callers who may change them; empty without row routing',
  method: 'GET',
  path: '/svc/api/subscriptions/{id}/routes',
  params: IdParams,
  responses: { 200: Type.Object({ routes: Type.Array(RowRoute) }, { $id: 'SubscriptionRoutes' }) },
  access: access.writerRead({ project: 'writable' }),
  refusals: { 409: 'The configured encryption keys cannot decrypt the values.' },
});
