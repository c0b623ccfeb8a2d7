import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequest } from './refusals/refusal.ts';

/** Tells the version of the record in the answer, for a later `If-Match`. */
export function setVersionTag(reply: FastifyReply, version: number): void {
  reply.header('etag', `"${version}"`);
}

/**
 * The version that `If-Match` asks for; undefined without the header or for `*`. A tag that we never gave cannot
 * match: it is answered as version 0.
 */
export function expectedVersion(request: FastifyRequest): number | undefined {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  if (header.includes(',')) throw badRequest('invalid-if-match', 'If-Match takes one entity tag.');
  const [, digits] = /^\s*"(\d{1,9})"\s*$/.exec(header) ?? [];
  return digits === undefined ? 0 : Number(digits);
}
