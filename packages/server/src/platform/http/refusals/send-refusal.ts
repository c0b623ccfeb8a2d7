import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpAppOptions } from '../app.ts';
import { setApiHeaders } from '../headers.ts';
import { newTraceId } from '../trace-context.ts';
import { cutReply } from './cut-reply.ts';
import { toProblem, toRefusal } from './problems.ts';

/** `Retry-After` in seconds for a 429 of the host without one. */
const retryAfterSecondsDefault = '5';

/** Sends the problem response of an error, and logs an unexpected error. */
export const sendRefusal = (
  options: Pick<HttpAppOptions, 'errorMapping' | 'log' | 'onDenied' | 'basePath'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const { refusal, unexpected } = toRefusal(error, options.errorMapping);
  const traceId = request.svc?.traceId ?? newTraceId();
  if (unexpected !== undefined)
    options.log.error({ err: unexpected, traceId, route: request.routeOptions?.url }, 'request failed');
  if (refusal.status === 403 || refusal.status === 401) options.onDenied?.(request, refusal);
  // A stream that fails half-way can no longer become a problem response.
  if (reply.raw.headersSent) {
    cutReply(reply.raw);
    return reply;
  }
  setApiHeaders(reply, request.svc?.origin.isSecure ?? false);
  if (refusal.status === 429) reply.header('retry-after', retryAfterSecondsDefault);
  reply.headers(refusal.headers).code(refusal.status);
  const hostBody = request.routeOptions?.config?.gate?.bodyOf?.(refusal);
  if (hostBody !== undefined) return reply.type('application/json').serializer(JSON.stringify).send(hostBody);
  reply.type('application/problem+json');
  return reply
    .serializer(JSON.stringify)
    .send(toProblem(refusal, { traceId, basePath: options.basePath ?? '' }));
};
