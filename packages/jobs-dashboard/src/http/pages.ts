import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '../problem.ts';
import { send } from './respond.ts';

/** Folder of the built pages. The relative path is the same for the sources and the published package. */
const builtFolder = fileURLToPath(new URL('../../ui/dist/', import.meta.url));
/** Placeholder for the path of the dashboard in the built page. The build writes the same text. */
const prefixPlaceholder = '__DASHBOARD_PREFIX__';

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

type BuiltFile = {
  readonly contentType: string;
  readonly etag: string;
  readonly content: Buffer;
  readonly gzip: Buffer | undefined;
};
type Built = { readonly indexHtml: string; readonly files: ReadonlyMap<string, BuiltFile> };

let built: Built | null | undefined;

/** Reads the built pages once; returns null when they were not built. */
function readBuilt(): Built | null {
  if (built !== undefined) return built;
  const index = path.join(builtFolder, 'index.html');
  if (!existsSync(index)) return null;
  const files = new Map<string, BuiltFile>();
  for (const entry of readdirSync(builtFolder, { recursive: true, withFileTypes: true })) {
    const contentType = contentTypes[path.extname(entry.name)];
    if (!entry.isFile() || contentType === undefined) continue;
    const file = path.join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    files.set(path.relative(builtFolder, file).split(path.sep).join('/'), {
      contentType,
      etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 24)}"`,
      content,
      gzip: existsSync(`${file}.gz`) ? readFileSync(`${file}.gz`) : undefined,
    });
  }
  built = { indexHtml: readFileSync(index, 'utf8'), files };
  return built;
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // All scripts and styles are separate files: no inline script, no inline style.
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/**
 * Serves the built files, and the index page for every other path.
 *
 * @throws Problem 404 for a missing file, and when the pages were not built.
 */
export function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  prefix: string,
  segments: readonly string[],
): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new Problem('method-not-allowed', 'This path takes GET, HEAD.', {
      headers: { allow: 'GET, HEAD' },
    });
  }
  const pages = readBuilt();
  if (!pages) {
    throw new Problem(
      'pages-not-built',
      'The pages of the dashboard were not built: npm run build -w @svc/jobs-dashboard. Its API works without.',
    );
  }
  const name = segments.join('/');
  const file = pages.files.get(name);
  if (file) {
    sendFile(request, response, file, name);
    return;
  }
  if (segments[0] === 'assets') throw new Problem('not-found', 'The dashboard has no such file.');
  send(request, response, 200, pageHeaders, pages.indexHtml.replaceAll(prefixPlaceholder, prefix));
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: BuiltFile, name: string): void {
  const headers = {
    'content-type': file.contentType,
    'cache-control': name.startsWith('assets/') ? 'private, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };
  if (request.headers['if-none-match'] === file.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (file.gzip && takesGzip) {
    send(request, response, 200, { ...headers, 'content-encoding': 'gzip' }, file.gzip);
  } else send(request, response, 200, headers, file.content);
}
