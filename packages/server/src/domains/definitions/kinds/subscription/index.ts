import * as contract from '@svc/contract';
import { defineKind, noSecrets } from '../kind.ts';
import { fileSchema } from '../shapes.ts';
import { canonical, isReplacing, properties, references, type SubscriptionDefinition } from './definition.ts';
import { list } from './read.ts';
import { create, replace, type SubscriptionKindDeps, update } from './write.ts';

/**
 * Creates the kind of subscriptions: schedules, queries and recipients. Pause, snooze and owner are not part of the
 * file.
 */
export function subscriptionKind(deps: SubscriptionKindDeps) {
  const { subscriptions } = deps;
  return defineKind<SubscriptionDefinition>({
    name: 'Subscription',
    schema: fileSchema('Subscription', properties),
    isForKeys: true,
    ...noSecrets,
    canonical: (definition) => canonical(subscriptions.explain, definition),
    references,
    list: (caller, projects, slugOf) => list(subscriptions, caller, projects, slugOf),
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
    create: (by, input) => create(deps, by, input),
    update: (by, target, input) => update(deps, by, target, input),
    replace: (by, target, input) => replace(deps, by, target, input),
    remove: (by, { id }) => subscriptions.archive(by, id),
  });
}
