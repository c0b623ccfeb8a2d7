import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One file of the built UI, in memory: all of them together are a few megabytes. */
export type BuiltFile = {
  readonly contentType: string;
  readonly etag: string;
  /** True if the name contains a hash of the content, so that clients may cache the file permanently. */
  readonly isImmutable: boolean;
  readonly content: Buffer;
  readonly brotli: Buffer | undefined;
  readonly gzip: Buffer | undefined;
};

export type BuiltPages = {
  /** Index page for every path of the UI. It contains the placeholder of the nonce. */
  readonly indexHtml: string;
  /** Files by their path below `/svc/`. */
  readonly files: ReadonlyMap<string, BuiltFile>;
};

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
};

/**
 * Reads the folder of the built UI. Serves only known kinds of file, and none in or with a name that starts with a
 * dot.
 *
 * @throws Error when the folder contains no built UI.
 */
export function readBuiltPages(folder: string): BuiltPages {
  const index = path.join(folder, 'index.html');
  if (!existsSync(index)) {
    throw new Error(`There is no built UI in ${folder}. Build it with: npm run build -w @svc/web`);
  }
  const files = new Map<string, BuiltFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file).split(path.sep).join('/');
    const contentType = contentTypes[path.extname(entry.name)];
    if (!entry.isFile() || contentType === undefined || name.split('/').some((part) => part.startsWith('.')))
      continue;
    const content = readFileSync(file);
    files.set(name, {
      contentType,
      etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 24)}"`,
      isImmutable: name.startsWith('assets/'),
      content,
      brotli: readTwin(`${file}.br`),
      gzip: readTwin(`${file}.gz`),
    });
  }
  return { indexHtml: readFileSync(index, 'utf8'), files };
}

const readTwin = (file: string): Buffer | undefined => (existsSync(file) ? readFileSync(file) : undefined);
