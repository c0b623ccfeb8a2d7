import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../access/caller.ts';
import { recordedSpan } from '../../telemetry/index.ts';
import type { InCourseOf, LateReading } from '../app.ts';
import { HandlerContext } from '../handler-context.ts';
import type { RequestTelemetry } from '../request-telemetry.ts';
import type { Route } from '../route.ts';

type Handle = (...context: ConstructorParameters<typeof HandlerContext>) => Promise<unknown>;

/**
 * Runs the handlers of state-changing routes in the context of their request. Reads start no jobs, and an endpoint
 * with its own gate sets its own context.
 */
export function handlerOf(route: Route, inCourseOf: InCourseOf | undefined): Handle {
  const handle: Handle = async (...context) => route.handle(new HandlerContext(...context));
  const { method, path } = route.endpoint;
  if (!inCourseOf || method === 'GET' || route.gate) return handle;
  return (caller, early, request, reply) => {
    const { traceId, measured } = request.svc;
    const spanId = measured && recordedSpan(measured.span)?.spanId;
    return inCourseOf({ method, route: path, caller, traceId, ...(spanId !== undefined && { spanId }) }, () =>
      handle(caller, early, request, reply),
    );
  };
}

/**
 * Returns the identity of a reader or writer, across processes and credentials; undefined for a caller without a
 * name.
 */
const writerOf = ({ userId, hostUserId }: Caller): string | undefined =>
  userId !== null ? `user ${userId}` : hostUserId === undefined ? undefined : `host ${hostUserId}`;

const requestsFresh = (request: FastifyRequest): boolean =>
  /\bno-cache\b/i.test(request.headers['cache-control'] ?? '');

/**
 * Enables late reads for routes that declare them. Notes each writing caller, so that the caller sees the change in
 * later reads.
 */
export function withLateReads(
  lateReads: LateReading | undefined,
  { endpoint }: Route,
  handle: Handle,
): Handle {
  if (!lateReads) return handle;
  if (endpoint.readsLate)
    return (caller, early, request, reply) => {
      const read = () => handle(caller, early, request, reply);
      const reader = writerOf(caller);
      return reader === undefined || requestsFresh(request) ? read() : lateReads.read(reader, read);
    };
  if (endpoint.method === 'GET') return handle;
  return async (caller, early, request, reply) => {
    try {
      return await handle(caller, early, request, reply);
    } finally {
      const writer = writerOf(caller);
      if (writer !== undefined) await lateReads.noteWrite(writer);
    }
  };
}

/** Runs a handler in the span of its request. */
export const measuredHandler = (measuring: RequestTelemetry | undefined, handle: Handle): Handle =>
  measuring
    ? (caller, early, request, reply) =>
        measuring.within(request, () => handle(caller, early, request, reply))
    : handle;
