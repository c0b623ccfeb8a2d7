import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../access/caller.ts';
import { clientGone } from './connection/client-gone.ts';
import type { RouteContext } from './route.ts';

/**
 * Handler argument. It is a class because V8 creates a separate hidden class, in old memory, for each object
 * literal with a getter. Such a hidden class retains the request and all its data until a full collection.
 */
export class HandlerContext implements RouteContext<never> {
  readonly caller: Caller;
  readonly early: Promise<unknown> | undefined;
  readonly params: never;
  readonly query: never;
  readonly body: never;
  readonly clientAddress: string;
  readonly traceId: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  #signal: AbortSignal | undefined;

  constructor(
    caller: Caller,
    early: Promise<unknown> | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    this.caller = caller;
    this.early = early;
    this.params = request.params as never;
    this.query = request.query as never;
    this.body = request.body as never;
    this.clientAddress = request.svc.origin.address;
    this.traceId = request.svc.traceId;
    this.request = request;
    this.reply = reply;
  }

  /** Created on first use, because few handlers need it. */
  get signal(): AbortSignal {
    this.#signal ??= clientGone(this.reply);
    return this.#signal;
  }
}
