import type { Endpoint, Page } from '@svc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withBase } from './base-path.ts';
import { pageNumber } from './paging.ts';

/** Returns true for an endpoint that takes `page` and answers with a paged list. */
export function isPagedList({ query, responses }: Endpoint): boolean {
  const has = (schema: unknown, name: string) =>
    Object.hasOwn((schema as { properties?: object } | undefined)?.properties ?? {}, name);
  return has(query, 'page') && has(responses[200], 'pageCount');
}

/** Sets `Link` (RFC 8288): the first, previous and next page of a list. */
export function setPageLinks(
  request: FastifyRequest,
  reply: FastifyReply,
  { pageCount }: Pick<Page<unknown>, 'pageCount'>,
): void {
  const page = pageNumber(request.query as { page?: string });
  // The URL class also percent-encodes characters that would end the link's target.
  const url = new URL(request.url, 'http://localhost');
  const link = (rel: string, to: number): string => {
    url.searchParams.set('page', String(to));
    return `<${withBase(request, url.pathname + url.search)}>; rel="${rel}"`;
  };
  const links = [link('first', 0)];
  // Beyond the end, the previous page is the last existing page.
  if (page > 0) links.push(link('prev', Math.max(0, Math.min(page, pageCount) - 1)));
  if (page + 1 < pageCount) links.push(link('next', page + 1));
  reply.header('link', links.join(', '));
}
