/**
 * Calls that are running in this process, so that a `notifications/cancelled` can end one. The endpoint is stateless
 * and ids are the client's own, so a call is ended only when exactly one is meant: same caller, same address, same
 * program, same id. Clients of 2026-07-28 close their connection instead, which needs none of this.
 */
export type CallCancellation = {
  /** Notes a running call; the returned function forgets it. */
  readonly note: (client: string, requestId: string | number, cancel: () => void) => () => void;
  /** Ends the one call that is meant. */
  readonly cancel: (client: string, requestId: unknown) => void;
};

export function createCallCancellation(): CallCancellation {
  const running = new Map<string, Set<() => void>>();
  const keyOf = (client: string, requestId: unknown) => `${client}\n${typeof requestId} ${String(requestId)}`;
  return {
    note: (client, requestId, cancel) => {
      const key = keyOf(client, requestId);
      const calls = running.get(key) ?? new Set();
      running.set(key, calls.add(cancel));
      return () => {
        calls.delete(cancel);
        if (calls.size === 0) running.delete(key);
      };
    },
    cancel: (client, requestId) => {
      const calls = running.get(keyOf(client, requestId));
      if (calls?.size === 1) for (const cancel of calls) cancel();
    },
  };
}
