import type { RowRoute, RowRoutingInput } from '@svc/contract';
import { type KeyRing, open, type Randomness, seal } from '../../platform/crypto/index.ts';
import type { Executor, Tx } from '../../platform/db/index.ts';
import { createRowRouter, type RowRouter } from './router.ts';
import { attachRouted, deleteRouting, findRouting, insertRouting, readRoutes } from './store.ts';
import { RoutesUnreadable } from './unreadable.ts';

/** How rows are routed, whole. */
type RowRoutingRule = Required<RowRoutingInput>;

/** With nothing but its members, in one order: two that say the same are written the same. */
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
 * Who gets which rows of a subscription. The values are cells of somebody's database: they are sealed, and compared as
 * keyed fingerprints that a run makes for itself and keeps nowhere.
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
      ...{ no, recipientId },
      valueSealed: seal(keys, value, placeOf(subscriptionId, no), random),
    }));
    await insertRouting(tx, subscriptionId, rule, routes);
  };

  return {
    /**
     * The routing with its values; null where every recipient gets all rows.
     *
     * @throws RoutesUnreadable
     */
    read,

    /**
     * Puts a routing in place of the one that is there; null: every recipient gets all rows.
     *
     * @returns whether it is another one.
     */
    replace: async (tx: Tx, subscriptionId: number, input: RowRoutingInput | null): Promise<boolean> => {
      const rule = input && ruleOf(input);
      // One that cannot be read is another one, whatever it said.
      const present = await read(tx, subscriptionId).catch((error: unknown) => {
        if (error instanceof RoutesUnreadable) return undefined;
        throw error;
      });
      if (JSON.stringify(present) === JSON.stringify(rule)) return false;
      await write(tx, subscriptionId, rule);
      return true;
    },

    /**
     * Gives a subscription the routing of another.
     *
     * @throws RoutesUnreadable
     */
    copy: async (tx: Tx, fromId: number, toId: number): Promise<void> => {
      // Those that were archived, too: what was meant for them goes to nobody else.
      await attachRouted(tx, fromId, toId);
      await write(tx, toId, await read(tx, fromId));
    },

    /**
     * What a run routes its rows with; null where every recipient gets all rows.
     *
     * @param domain  What the fingerprints of the run belong to.
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
