import type { FastifyRequest } from 'fastify';
import { findUnstorable } from '../../text/index.ts';
import { badRequest } from '../refusals/refusal.ts';

const message = 'holds a character that no text can have (U+0000, or half of a surrogate pair)';

/**
 * Refuses a request whose path, query or body contains text that the database cannot store. Runs for every route,
 * after the gates and before validation, so that services need no check.
 *
 * @throws Refusal 400 that names the member.
 */
export function refuseUnstorableInput(request: FastifyRequest): void {
  refuse(request.params, 'path', namesOnly);
  refuse(request.query, 'query parameters', namesOnly);
  // A route that takes bytes checks them itself.
  if (!Buffer.isBuffer(request.body)) refuse(request.body, 'request body', (pointer) => pointer);
}

/** Refusals name parameters of path and query without a pointer. */
const namesOnly = (pointer: string): string => pointer.replace(/^\//, '');

function refuse(part: unknown, where: string, pathOf: (pointer: string) => string): void {
  const pointer = findUnstorable(part);
  if (pointer === undefined) return;
  const path = pathOf(pointer);
  throw badRequest('invalid-input', `The ${where} cannot be accepted: ${path || 'it'} ${message}.`, [
    { path, message },
  ]);
}
