import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type HttpAppOptions, setPageHeaders } from '../http/index.ts';
import { type BuiltFile, readBuiltPages } from './built-files.ts';

export type PagesOptions = {
  /** Folder of the built UI. */
  readonly folder: string;
};

/** Settings of the served pages. */
export type PagesSettings = PagesOptions & {
  /** Mount path of the service. The pages read it from a `meta` element. Default: none. */
  readonly basePath?: string;
  /** Path of the dashboard of the background jobs, such as `/warp`. Without it, no page links to it. */
  readonly jobsDashboard?: string;
};

/** Placeholder in the built index.html for the nonce of each response. The UI's build writes the same text. */
const noncePlaceholder = '__STYLE_NONCE__';
/** Placeholder for the path of the job dashboard. */
const dashboardPlaceholder = '__JOBS_DASHBOARD__';
/** Placeholder in the built index.html for the base path. */
const basePathPlaceholder = '__BASE_PATH__';
const nonceBytes = 16;

/** Paths below `/svc` that are no pages. An unknown one is 404, never the index page. */
const notPages = /^((api|mcp|assets|help|\.well-known)(\/|$)|llms(-full)?\.txt$)/;

const oneYear = 'public, max-age=31536000, immutable';

type Gates = Pick<HttpAppOptions, 'isSetupOpen'>;

/**
 * Serves the built UI: its files, and the index page for every other path under `/svc`. While no administrator
 * exists, every page redirects to the setup page.
 */
export function pagesPlugin(options: PagesSettings): (app: FastifyInstance, gates: Gates) => void {
  const { basePath = '', jobsDashboard = '' } = options;
  const { indexHtml: built, files } = readBuiltPages(options.folder);
  const indexHtml = built
    .replaceAll(/(src|href)="\/svc\//g, `$1="${attribute(basePath)}/svc/`)
    .replaceAll(basePathPlaceholder, () => attribute(basePath))
    .replaceAll(dashboardPlaceholder, () => attribute(jobsDashboard));

  const answer = async (
    request: FastifyRequest,
    reply: FastifyReply,
    gates: Gates,
  ): Promise<FastifyReply> => {
    const path = (request.url.split('?')[0] ?? '').replace(/^\/svc\/?/, '');
    const file = files.get(path);
    if (file) return sendFile(request, reply, file);
    if (notPages.test(path)) {
      reply.callNotFound();
      return reply;
    }
    if (path !== 'setup' && (await gates.isSetupOpen())) {
      return reply.header('cache-control', 'no-store').redirect('/svc/setup', 302);
    }
    const styleNonce = randomBytes(nonceBytes).toString('base64');
    setPageHeaders(reply, { isSecure: request.svc.origin.isSecure, styleNonce });
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(indexHtml.replaceAll(noncePlaceholder, styleNonce));
  };

  return (app, gates) => {
    app.get('/svc', (request, reply) => answer(request, reply, gates));
    app.get('/svc/*', (request, reply) => answer(request, reply, gates));
  };
}

/** Escapes text for a quoted attribute. */
const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  reply
    .header('cache-control', file.isImmutable ? oneYear : 'no-cache')
    .header('etag', file.etag)
    .header('vary', 'accept-encoding')
    .header('x-content-type-options', 'nosniff')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    .type(file.contentType);
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  const accepted = encodingsOf(request);
  if (file.brotli && accepted.has('br')) return reply.header('content-encoding', 'br').send(file.brotli);
  if (file.gzip && accepted.has('gzip')) return reply.header('content-encoding', 'gzip').send(file.gzip);
  return reply.send(file.content);
}

function encodingsOf(request: FastifyRequest): ReadonlySet<string> {
  const header = request.headers['accept-encoding'];
  const entries = (typeof header === 'string' ? header : '')
    .split(',')
    .map((entry) => entry.trim().split(';'));
  return new Set(
    entries.filter(([, quality]) => !/^\s*q=0(\.0*)?$/.test(quality ?? '')).map(([name]) => name ?? ''),
  );
}
