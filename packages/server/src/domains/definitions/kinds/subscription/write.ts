import type * as contract from '@svc/contract';
import type { Database, Tx } from '../../../../platform/db/index.ts';
import type { CallerActor } from '../../../audit/index.ts';
import type { SubscriptionsService } from '../../../subscriptions/index.ts';
import type { Input, Target, Written } from '../kind.ts';
import { type SubscriptionDefinition, settingsOf } from './definition.ts';

export type SubscriptionKindDeps = {
  readonly database: Database;
  readonly subscriptions: SubscriptionsService;
};

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

const changeOf = async (
  subscriptions: SubscriptionsService,
  { definition, idOf }: Input<SubscriptionDefinition>,
) => {
  const {
    queryId: _none,
    cronExpression: _cron,
    timeZone: _zone,
    ...newSettings
  } = await settingsOf(subscriptions.explain, definition);
  return {
    ...newSettings,
    recipientIds: (definition.recipients ?? []).map((slug) => idOf('Recipient', slug)),
    routing: routingOf(definition, idOf),
  };
};

const createIn = async (
  subscriptions: SubscriptionsService,
  tx: Tx,
  by: CallerActor,
  input: Input<SubscriptionDefinition>,
): Promise<number> => {
  const { query, recipients = [], routing: _none, ...rest } = input.definition;
  const routing = routingOf(input.definition, input.idOf);
  const { id } = await subscriptions.createIn(tx, by, {
    ...rest,
    queryId: input.idOf('Query', query),
    recipientIds: recipients.map((slug) => input.idOf('Recipient', slug)),
    ...(routing && { routing }),
  });
  return id;
};

/** Creates the subscription of a definition. */
export const create = (
  { database, subscriptions }: SubscriptionKindDeps,
  by: CallerActor,
  input: Input<SubscriptionDefinition>,
): Promise<Written> =>
  database.transaction(async (tx) => {
    await input.within(tx, await createIn(subscriptions, tx, by, input));
    return { isWaiting: false };
  });

/** Changes a subscription in place. */
export const update = async (
  { database, subscriptions }: SubscriptionKindDeps,
  by: CallerActor,
  target: Target,
  input: Input<SubscriptionDefinition>,
): Promise<Written> => {
  const change = await changeOf(subscriptions, input);
  return database.transaction(async (tx) => {
    await subscriptions.reviseIn(tx, by, target, change);
    await input.within(tx, target.id);
    return { isWaiting: false };
  });
};

/** Replaces the subscription, because its schedule or query has changed. */
export const replace = async (
  { database, subscriptions }: SubscriptionKindDeps,
  by: CallerActor,
  { id, version }: Target,
  input: Input<SubscriptionDefinition>,
): Promise<Written> => {
  const change = await changeOf(subscriptions, input);
  const { cronExpression, timeZone, query } = input.definition;
  const schedule = await subscriptions.explain(cronExpression, timeZone);
  const { queryId } = await subscriptions.get(by.caller, id);
  return database.transaction(async (tx) => {
    const hasOtherQuery = queryId !== input.idOf('Query', query);
    if (hasOtherQuery) {
      const newId = await createIn(subscriptions, tx, by, input);
      await subscriptions.archiveIn(tx, by, id);
      await input.within(tx, newId);
    } else {
      const newId = await subscriptions.replaceIn(tx, by, { id, version }, schedule);
      await subscriptions.reviseIn(tx, by, { id: newId, version: undefined }, change);
      await input.within(tx, newId);
    }
    return { isWaiting: false };
  });
};
