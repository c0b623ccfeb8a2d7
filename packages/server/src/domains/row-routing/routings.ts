import type { RowRoute, RowRoutingInput } from '@svc/contract';
import { type KeyRing, open, type Randomness, seal } from '../../platform/crypto/index.ts';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { createRowRouter, type RowRouter } from './router.ts';
import { attachRouted, deleteRouting, findRouting, insertRouting, readRoutes } from './store.ts';
import { RoutesUnreadable } from './unreadable.ts';

/** Routing with all members. */
type RowRoutingRule = Required<RowRoutingInput>;

/** Returns only the members of a routing, in a fixed order. Equal routings therefore have equal JSON. */
const ruleOf = ({ column, routes, fallbackRecipientId = null }: RowRoutingInput): RowRoutingRule => ({
  column,
  routes: routes.map(({ value, recipientId }) => ({ value, recipientId })),
  fallbackRecipientId,
});

const placeOf = (subscriptionId: number, no: number) => ({
  table: 'subscription_routes',
  column: 'value_sealed',
  rowId: `${subscriptionId}/${no}`,
});

export type RowRoutings = ReturnType<typeof createRowRoutings>;

/**
 * Creates the row routings of subscriptions. The values are cells of a database, so they are stored encrypted. A run
 * compares them as keyed fingerprints, which it does not store.
 */
export function createRowRoutings({ keys, random }: { readonly keys: KeyRing; readonly random: Randomness }) {
  /** @throws RoutesUnreadable */
  const openRoutes = async (
    executor: Executor,
    subscriptionId: number,
  ): Promise<(RowRoute & { readonly isArchived: boolean })[]> =>
    (await readRoutes(executor, subscriptionId)).map(({ no, valueSealed, recipientId, isArchived }) => {
      const opened = open(keys, valueSealed, placeOf(subscriptionId, no));
      if (!opened.ok) throw new RoutesUnreadable(`A route cannot be opened: ${opened.failure}.`);
      return { value: opened.secret.reveal(), recipientId, isArchived };
    });

  const read = async (executor: Executor, subscriptionId: number): Promise<RowRoutingRule | null> => {
    const stored = await findRouting(executor, subscriptionId);
    if (!stored) return null;
    const routes = await openRoutes(executor, subscriptionId);
    return ruleOf({ ...stored, routes });
  };

  const write = async (tx: Tx, subscriptionId: number, rule: RowRoutingRule | null): Promise<void> => {
    await deleteRouting(tx, subscriptionId);
    if (rule === null) return;
    const routes = rule.routes.map(({ value, recipientId }, no) => ({
      no,
      recipientId,
      valueSealed: seal(keys, value, placeOf(subscriptionId, no), random),
    }));
    await insertRouting(tx, subscriptionId, rule, routes);
  };

  return {
    /**
     * Returns the routing with its values; null when every recipient gets all rows.
     *
     * @throws RoutesUnreadable
     */
    read,

    /**
     * Replaces the routing; null: every recipient gets all rows.
     *
     * @returns true if the routing changed.
     */
    replace: async (tx: Tx, subscriptionId: number, input: RowRoutingInput | null): Promise<boolean> => {
      const rule = input && ruleOf(input);
      // An unreadable routing always counts as changed.
      const present = await read(tx, subscriptionId).catch((error: unknown) => {
        if (error instanceof RoutesUnreadable) return undefined;
        throw error;
      });
      if (JSON.stringify(present) === JSON.stringify(rule)) return false;
      await write(tx, subscriptionId, rule);
      return true;
    },

    /**
     * Copies the routing of one subscription to another.
     *
     * @throws RoutesUnreadable
     */
    copy: async (tx: Tx, fromId: number, toId: number): Promise<void> => {
      // Includes archived recipients, so that their rows go to no other recipient.
      await attachRouted(tx, fromId, toId);
      await write(tx, toId, await read(tx, fromId));
    },

    /**
     * Returns the router of a run; null when every recipient gets all rows.
     *
     * @param domain  Scope of the run's fingerprints.
     * @throws RoutesUnreadable
     */
    open: async (executor: Executor, subscriptionId: number, domain: number): Promise<RowRouter | null> => {
      const stored = await findRouting(executor, subscriptionId);
      if (!stored) return null;
      const routes = await openRoutes(executor, subscriptionId);
      return createRowRouter(keys, domain, { ...stored, routes });
    },
  };
}
