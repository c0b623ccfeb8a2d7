import * as contract from '@svc/contract';
import { type Static, Type } from 'typebox';
import type { Caller } from '../../../platform/access/index.ts';
import type { Database, Tx } from '../../../platform/db/index.ts';
import { HttpProblem } from '../../../platform/http/index.ts';
import type { CallerActor } from '../../audit/index.ts';
import { newSubscription, type SubscriptionsService } from '../../subscriptions/index.ts';
import { everyPage, shortened, sortedSlugs } from './canonical.ts';
import { defineKind, type Input, noSecrets, type Reference, type SlugOf, type Target } from './kind.ts';
import { fileSchema, Slugs } from './shapes.ts';

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
const properties = {
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
type SubscriptionDefinition = Static<typeof Shape>;
type Routing = NonNullable<SubscriptionDefinition['routing']>;

const shortRouting = ({ column, routes, fallbackRecipient }: Routing): Routing => ({
  column,
  routes: routes
    .map(({ value, recipient }) => ({ value, recipient }))
    .sort((left, right) => (left.value < right.value ? -1 : 1)),
  ...(fallbackRecipient !== undefined && { fallbackRecipient }),
});

const routingOf = (
  { routing }: SubscriptionDefinition,
  idOf: Input<SubscriptionDefinition>['idOf'],
): contract.RowRoutingInput | null =>
  routing
    ? {
        column: routing.column,
        routes: routing.routes.map(({ value, recipient }) => ({
          value,
          recipientId: idOf('Recipient', recipient),
        })),
        fallbackRecipientId:
          routing.fallbackRecipient === undefined ? null : idOf('Recipient', routing.fallbackRecipient),
      }
    : null;

/**
 * Creates the kind of subscriptions: schedules, queries and recipients. Pause, snooze and owner are not part of the
 * file.
 */
export function subscriptionKind(deps: {
  readonly database: Database;
  readonly subscriptions: SubscriptionsService;
}) {
  const { database, subscriptions } = deps;

  /** Returns the settings with all defaults. */
  const wholeOf = async (definition: SubscriptionDefinition) => {
    const { query: _query, recipients: _recipients, routing: _none, ...input } = definition;
    const schedule = await subscriptions.explain(input.cronExpression, input.timeZone);
    return newSubscription({ ...input, queryId: 1, recipientIds: [] }, schedule);
  };

  const canonical = async (definition: SubscriptionDefinition): Promise<SubscriptionDefinition> => {
    const { queryId: _none, ...whole } = await wholeOf(definition);
    const { cronExpression, timeZone, ...others } = whole;
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

  const routesOf = async (
    caller: Caller,
    { id, routing }: contract.Subscription,
    slugOf: SlugOf,
  ): Promise<Routing | undefined> => {
    if (routing === null) return undefined;
    const { routes } = await subscriptions.listRoutes(caller, id);
    const { fallbackRecipientId: fallback } = routing;
    return {
      column: routing.column,
      routes: routes.map((each) => ({ value: each.value, recipient: slugOf('Recipient', each.recipientId) })),
      ...(fallback !== null && { fallbackRecipient: slugOf('Recipient', fallback) }),
    };
  };

  /** Returns null when the caller may not read the routing values. */
  const fileOf = async (
    caller: Caller,
    subscription: contract.Subscription,
    slugOf: SlugOf,
  ): Promise<SubscriptionDefinition | null> => {
    try {
      const routing = await routesOf(caller, subscription, slugOf);
      const { cronExpression, timeZone } = subscription.schedule;
      return await canonical({
        query: slugOf('Query', subscription.queryId),
        cronExpression,
        timeZone,
        ...Object.fromEntries(
          (Object.keys(settings) as (keyof typeof settings)[]).map((member) => [
            member,
            subscription[member],
          ]),
        ),
        recipients: subscription.recipients.map(({ id }) => slugOf('Recipient', id)),
        ...(routing && { routing }),
      });
    } catch (error) {
      if (error instanceof HttpProblem && error.status < 500) return null;
      throw error;
    }
  };

  const changeOf = async ({ definition, idOf }: Input<SubscriptionDefinition>) => {
    const { queryId: _none, cronExpression: _cron, timeZone: _zone, ...whole } = await wholeOf(definition);
    return {
      ...whole,
      recipientIds: (definition.recipients ?? []).map((slug) => idOf('Recipient', slug)),
      routing: routingOf(definition, idOf),
    };
  };

  const createIn = async (tx: Tx, by: CallerActor, input: Input<SubscriptionDefinition>): Promise<number> => {
    const { query, recipients = [], routing: _none, ...rest } = input.definition;
    const routing = routingOf(input.definition, input.idOf);
    const made = await subscriptions.createIn(tx, by, {
      ...rest,
      queryId: input.idOf('Query', query),
      recipientIds: recipients.map((slug) => input.idOf('Recipient', slug)),
      ...(routing && { routing }),
    });
    return made.id;
  };

  /** Replaces the subscription, because its schedule or query has changed. */
  const replace = async (
    by: CallerActor,
    { id, version }: Target,
    input: Input<SubscriptionDefinition>,
  ): Promise<number> => {
    const change = await changeOf(input);
    const { cronExpression, timeZone, query } = input.definition;
    const schedule = await subscriptions.explain(cronExpression, timeZone);
    const present = await subscriptions.get(by.caller, id);
    return database.transaction(async (tx) => {
      const isAboutAnother = present.queryId !== input.idOf('Query', query);
      if (isAboutAnother) {
        const made = await createIn(tx, by, input);
        await subscriptions.archiveIn(tx, by, id);
        await input.within(tx, made);
        return made;
      }
      const made = await subscriptions.replaceIn(tx, by, { id, version }, schedule);
      await subscriptions.reviseIn(tx, by, { id: made, version: undefined }, change);
      await input.within(tx, made);
      return made;
    });
  };

  return defineKind<SubscriptionDefinition>({
    name: 'Subscription',
    schema: fileSchema('Subscription', properties),
    isForKeys: true,
    ...noSecrets,
    canonical,
    references: ({ query, recipients = [], routing }): Reference[] => [
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
    ],

    list: async (caller, projects, slugOf) => {
      const savedSubscriptions: contract.Subscription[] = [];
      for (const { id: projectId } of projects)
        savedSubscriptions.push(
          ...(await everyPage((page) => subscriptions.list(caller, { ...page, projectId }))),
        );
      return Promise.all(
        savedSubscriptions.map(async (each) => ({
          id: each.id,
          projectId: each.projectId,
          version: each.version,
          definition: await fileOf(caller, each, slugOf),
        })),
      );
    },

    endpoints: ({ before, after, members }) => [
      after === null
        ? contract.archiveSubscription
        : before === null
          ? contract.createSubscription
          : isReplacing(members)
            ? contract.replaceSubscription
            : contract.updateSubscription,
    ],
    needsApproval: () => false,
    isReplacing,

    create: (by, input) =>
      database.transaction(async (tx) => {
        await input.within(tx, await createIn(tx, by, input));
        return { isWaiting: false };
      }),

    update: async (by, target, input) => {
      const change = await changeOf(input);
      return database.transaction(async (tx) => {
        await subscriptions.reviseIn(tx, by, target, change);
        await input.within(tx, target.id);
        return { isWaiting: false };
      });
    },

    replace: async (by, target, input) => {
      await replace(by, target, input);
      return { isWaiting: false };
    },

    remove: (by, { id }) => subscriptions.archive(by, id),
  });
}

const isReplacing = (members: readonly string[]): boolean =>
  members.some((each) => each === '/query' || each === '/cronExpression' || each === '/timeZone');
