import type * as contract from '@svc/contract';
import type { Caller } from '../../../../platform/access/index.ts';
import { HttpProblem } from '../../../../platform/http/index.ts';
import type { SubscriptionsService } from '../../../subscriptions/index.ts';
import { everyPage } from '../canonical.ts';
import type { LiveRecord, ProjectScope, SlugOf } from '../kind.ts';
import { canonical, type Routing, type SubscriptionDefinition, settingNames } from './definition.ts';

const routesOf = async (
  subscriptions: SubscriptionsService,
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
  subscriptions: SubscriptionsService,
  caller: Caller,
  subscription: contract.Subscription,
  slugOf: SlugOf,
): Promise<SubscriptionDefinition | null> => {
  try {
    const routing = await routesOf(subscriptions, caller, subscription, slugOf);
    const { cronExpression, timeZone } = subscription.schedule;
    return await canonical(subscriptions.explain, {
      query: slugOf('Query', subscription.queryId),
      cronExpression,
      timeZone,
      ...Object.fromEntries(settingNames.map((member) => [member, subscription[member]])),
      recipients: subscription.recipients.map(({ id }) => slugOf('Recipient', id)),
      ...(routing && { routing }),
    });
  } catch (error) {
    if (error instanceof HttpProblem && error.status < 500) return null;
    throw error;
  }
};

/** Reads the subscriptions of projects that the caller sees, each with its definition. */
export const list = async (
  subscriptions: SubscriptionsService,
  caller: Caller,
  projects: readonly ProjectScope[],
  slugOf: SlugOf,
): Promise<LiveRecord<SubscriptionDefinition>[]> => {
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
      definition: await fileOf(subscriptions, caller, each, slugOf),
    })),
  );
};
