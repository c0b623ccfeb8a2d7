import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequest } from './refusals/refusal.ts';
import { answered } from './route.ts';

/** Sets the `ETag` of the response to the record's version, for a later `If-Match`. */
export function setVersionTag(reply: FastifyReply, version: number): void {
  reply.header('etag', `"${version}"`);
}

/**
 * Returns the version in `If-Match`; undefined without the header or for `*`. Returns 0 for a tag that the service
 * never issued, which matches no record.
 */
export function expectedVersion(request: FastifyRequest): number | undefined {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  if (header.includes(',')) throw badRequest('invalid-if-match', 'If-Match takes one entity tag.');
  const [, digits] = /^\s*"(\d{1,9})"\s*$/.exec(header) ?? [];
  return digits === undefined ? 0 : Number(digits);
}

/**
 * Sets a content-based `ETag`, and sends 304 instead of the content if `If-None-Match` contains it. For records
 * without a version that clients poll. `*` matches nothing, because it is useless for a reader.
 */
export function unlessKnown<Content>(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
): Content | typeof answered {
  const tag = `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)}"`;
  reply.header('etag', tag);
  const clientTags = request.headers['if-none-match'] ?? '';
  // Weak comparison: a compressing proxy may have weakened the tag.
  if (!clientTags.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)) return content;
  reply.code(304).send();
  return answered;
}
