import type { Caller } from '../access/caller.ts';
import { tooManyRequests, unavailable } from '../http/index.ts';
import type { HubConnection } from './connection.ts';
import type { HubLimits } from './limits.ts';

/** Returns the address of events for a user as a text: a stored user, or a user of the host. */
export const addressOf = (caller: Pick<Caller, 'userId' | 'hostUserId'>): string =>
  caller.userId === null ? `host:${caller.hostUserId}` : `user:${caller.userId}`;

/** Connections of this process, by id, by user and by session. */
export class Members {
  readonly #limits: HubLimits;
  readonly #byId = new Map<string, HubConnection>();
  readonly #byUser = new Map<string, Set<HubConnection>>();
  /** Connections with an open carrier, including ended ones. */
  readonly #carried = new Set<HubConnection>();
  #onEmpty: (() => void) | undefined;

  constructor(limits: HubLimits) {
    this.#limits = limits;
  }

  /** @throws Refusal 503 at the connection limit of the process, 429 at the limit of the user. */
  assertRoom(caller: Caller): void {
    if (this.#carried.size >= this.#limits.connectionsMax)
      throw unavailable('The service has as many realtime connections as it takes.');
    const connectionCount = this.#byUser.get(addressOf(caller))?.size ?? 0;
    if (connectionCount >= this.#limits.connectionsPerUserMax)
      throw tooManyRequests('You have as many realtime connections as allowed. Close a window.', 60);
  }

  add(connection: HubConnection): void {
    const address = addressOf(connection.caller);
    const connections = this.#byUser.get(address) ?? new Set();
    this.#byUser.set(address, connections.add(connection));
    this.#byId.set(connection.id, connection);
    this.#carried.add(connection);
  }

  /** Removes an ended connection from the addressable ones. */
  remove(connection: HubConnection): void {
    const address = addressOf(connection.caller);
    const connections = this.#byUser.get(address);
    connections?.delete(connection);
    if (connections?.size === 0) this.#byUser.delete(address);
    if (this.#byId.get(connection.id) === connection) this.#byId.delete(connection.id);
  }

  /** Releases a connection whose carrier has closed. */
  release(connection: HubConnection): void {
    this.#carried.delete(connection);
    if (this.#carried.size === 0) this.#onEmpty?.();
  }

  get(id: string): HubConnection | undefined {
    return this.#byId.get(id);
  }

  ofUser(address: string): readonly HubConnection[] {
    return [...(this.#byUser.get(address) ?? [])];
  }

  all(): readonly HubConnection[] {
    return [...this.#byId.values()];
  }

  /** Resolves when no carrier is open, or after the time. */
  async emptied(withinMs: number): Promise<void> {
    if (this.#carried.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEmpty = resolve;
    const timer = setTimeout(resolve, withinMs);
    await promise;
    clearTimeout(timer);
  }
}
