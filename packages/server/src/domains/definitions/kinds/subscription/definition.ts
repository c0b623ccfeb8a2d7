import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import { newSubscription, type SubscriptionsService } from '../../../subscriptions/index.ts';
import { shortened, sortedSlugs } from '../canonical.ts';
import type { Reference } from '../kind.ts';
import { Slugs } from '../shapes.ts';

const {
  queryId: _queryId,
  recipientIds: _recipientIds,
  routing: _routing,
  cronExpression,
  timeZone,
  ...settings
} = contract.SubscriptionInput.properties;
const { value } = contract.RowRoute.properties;
const { column } = contract.RowRoutingInput.properties;
export const properties = {
  query: contract.Slug,
  cronExpression,
  timeZone,
  ...settings,
  recipients: Type.Optional(Slugs('Recipients that are told.')),
  routing: Type.Optional(
    Type.Object({
      column,
      routes: Type.Array(Type.Object({ value, recipient: contract.Slug }), {
        minItems: 1,
        maxItems: contract.rowRoutesMax,
      }),
      fallbackRecipient: Type.Optional(contract.Slug),
    }),
  ),
};
const Shape = Type.Object(properties);
export type SubscriptionDefinition = Static<typeof Shape>;
export type Routing = NonNullable<SubscriptionDefinition['routing']>;

/** Members that a file and a subscription have in common. */
export const settingNames = Object.keys(settings) as readonly (keyof typeof settings)[];

type ExplainSchedule = SubscriptionsService['explain'];

/** Returns the settings of a subscription with all defaults. */
export const settingsOf = async (explain: ExplainSchedule, definition: SubscriptionDefinition) => {
  const { query: _query, recipients: _recipients, routing: _none, ...input } = definition;
  const schedule = await explain(input.cronExpression, input.timeZone);
  return newSubscription({ ...input, queryId: 1, recipientIds: [] }, schedule);
};

const shortRouting = ({ column, routes, fallbackRecipient }: Routing): Routing => ({
  column,
  routes: routes
    .map(({ value, recipient }) => ({ value, recipient }))
    .sort((left, right) => (left.value < right.value ? -1 : 1)),
  ...(fallbackRecipient !== undefined && { fallbackRecipient }),
});

/** Removes defaults and orders the members. */
export const canonical = async (
  explain: ExplainSchedule,
  definition: SubscriptionDefinition,
): Promise<SubscriptionDefinition> => {
  const { queryId: _none, ...inputSettings } = await settingsOf(explain, definition);
  const { cronExpression, timeZone, ...others } = inputSettings;
  return shortened(
    {
      query: definition.query,
      cronExpression,
      timeZone,
      ...others,
      alert: others.alert && shortened(others.alert, contract.alertDefaults),
      anomaly: others.anomaly && shortened(others.anomaly, contract.anomalyDefaults),
      rowMemory: others.rowMemory && shortened(others.rowMemory, contract.rowMemoryDefaults),
      recipients: sortedSlugs(definition.recipients),
      routing: definition.routing && shortRouting(definition.routing),
    } as SubscriptionDefinition,
    {
      notificationTrigger: 'OnResultCountChange',
      showQuery: false,
      storeResults: others.notificationTrigger === 'WhileRows',
      overlap: 'Skip',
      includeAttachment: false,
      createTasks: false,
      parameters: {},
      ...(others.alert && { alert: {} }),
      ...(others.includeAttachment && { attachmentFormat: 'Csv' }),
    },
  );
};

export const references = ({ query, recipients = [], routing }: SubscriptionDefinition): Reference[] => [
  { kind: 'Query', slug: query, pointer: '/query' },
  ...recipients.map((slug, at): Reference => ({ kind: 'Recipient', slug, pointer: `/recipients/${at}` })),
  ...(routing?.routes ?? []).map(
    ({ recipient }, at): Reference => ({
      kind: 'Recipient',
      slug: recipient,
      pointer: `/routing/routes/${at}/recipient`,
    }),
  ),
  ...(routing?.fallbackRecipient === undefined
    ? []
    : [
        {
          kind: 'Recipient' as const,
          slug: routing.fallbackRecipient,
          pointer: '/routing/fallbackRecipient',
        },
      ]),
];

/** Returns true when a change of these members creates a new subscription, because its schedule or query changes. */
export const isReplacing = (members: readonly string[]): boolean =>
  members.some((each) => each === '/query' || each === '/cronExpression' || each === '/timeZone');
