import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequest } from './refusals/refusal.ts';
import { answered } from './route.ts';

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

/**
 * Names the content by a tag of its own, and answers 304 in its place where `If-None-Match` has that tag: for records
 * without a version that are asked for again and again. `*` matches nothing, as it is of no use to a reader.
 */
export function unlessKnown<Content>(
  request: FastifyRequest,
  reply: FastifyReply,
  content: Content,
): Content | typeof answered {
  const tag = `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)}"`;
  reply.header('etag', tag);
  const known = request.headers['if-none-match'] ?? '';
  // Weak comparison: a proxy that packs the answer may have made the tag a weak one.
  if (!known.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)) return content;
  reply.code(304).send();
  return answered;
}
