/**
 * Running calls of this process, so that a `notifications/cancelled` can end one. The endpoint is stateless and
 * clients choose the ids. A call is therefore ended only if exactly one matches: same caller, address, program and
 * id. Clients of 2026-07-28 close their connection instead.
 */
export type CallCancellation = {
  /** Registers a running call. The returned function removes it. */
  readonly note: (client: string, requestId: string | number, cancel: () => void) => () => void;
  /** Ends the call if exactly one matches. */
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
