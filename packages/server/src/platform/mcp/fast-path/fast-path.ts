import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/index.ts';
import type { McpFacts } from '../facts.ts';
import type { OrdinaryCall, OrdinaryCalls } from './ordinary-calls.ts';

/** Dependencies of the fast path on the tools. */
export type FastPathParts = {
  readonly messages: OrdinaryCalls;
  /** Calls the tool; `cancelled` ends it. Rejects only for an unexpected error. */
  readonly call: (call: OrdinaryCall, facts: McpFacts, cancelled: AbortController) => Promise<CallToolResult>;
  /** Begins to read data for the call. The result arrives as `facts.early`. */
  readonly readEarly: (call: OrdinaryCall, caller: Caller) => Promise<unknown> | undefined;
};

type Outcome =
  | { readonly text: string; readonly failure?: undefined }
  | { readonly text?: undefined; readonly failure: { readonly error: unknown } };

/** Path of ordinary calls that bypasses the SDK's handler and its parsing. */
export type FastPath = {
  readonly readEarly: (
    caller: Caller,
    request: Pick<FastifyRequest, 'headers' | 'body'>,
  ) => Promise<unknown> | undefined;
  /** Returns undefined for any other message, without processing it. */
  readonly answer: (request: FastifyRequest, facts: McpFacts) => Promise<Outcome | undefined>;
  readonly close: () => void;
};

/** Creates the fast path. Closing it ends the running calls. */
export function createFastPath({ messages, call, readEarly }: FastPathParts): FastPath {
  const running = new Set<AbortController>();
  let isClosed = false;
  return {
    readEarly: (caller, request) => {
      const ordinary = messages.read(request);
      return ordinary && readEarly(ordinary, caller);
    },
    answer: async (request, facts) => {
      const ordinary = isClosed ? undefined : messages.read(request);
      if (!ordinary) return undefined;
      const cancelled = new AbortController();
      const onGone = () => cancelled.abort();
      if (facts.signal.aborted) onGone();
      else facts.signal.addEventListener('abort', onGone, { once: true });
      running.add(cancelled);
      try {
        return { text: messages.answer(ordinary, await call(ordinary, facts, cancelled)) };
      } catch (error) {
        return { failure: { error } };
      } finally {
        running.delete(cancelled);
        facts.signal.removeEventListener('abort', onGone);
      }
    },
    close: () => {
      isClosed = true;
      for (const cancelled of running) cancelled.abort();
    },
  };
}
