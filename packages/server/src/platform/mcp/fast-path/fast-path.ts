import type { CallToolResult } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/index.ts';
import type { McpFacts } from '../facts.ts';
import type { OrdinaryCall, OrdinaryCalls } from './ordinary-calls.ts';

/** What the fast path needs of the tools. */
export type FastPathParts = {
  readonly messages: OrdinaryCalls;
  /** Calls the tool; `cancelled` ends it. Rejects only for what nobody expected. */
  readonly call: (call: OrdinaryCall, facts: McpFacts, cancelled: AbortController) => Promise<CallToolResult>;
  /** Begins to read what the call needs: its answer comes back as `facts.early`. */
  readonly readEarly: (call: OrdinaryCall, caller: Caller) => Promise<unknown> | undefined;
};

type Outcome =
  | { readonly text: string; readonly failure?: undefined }
  | { readonly text?: undefined; readonly failure: { readonly error: unknown } };

/** The way of ordinary calls, past the SDK's handler and its reading of each message. */
export type FastPath = {
  readonly readEarly: (
    caller: Caller,
    request: Pick<FastifyRequest, 'headers' | 'body'>,
  ) => Promise<unknown> | undefined;
  /** Undefined for a message that is no ordinary call: nothing was done with it. */
  readonly answer: (request: FastifyRequest, facts: McpFacts) => Promise<Outcome | undefined>;
  readonly close: () => void;
};

/** Answers ordinary calls until it is closed; closing ends those that are running. */
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
