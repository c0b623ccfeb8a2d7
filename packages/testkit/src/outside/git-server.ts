import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** True if git is installed. The server requires it. */
export const hasGit = (() => {
  try {
    execFileSync('git', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Answers a request instead of git. Returns false if git must answer. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Git server over HTTP, based on `git http-backend`. */
export type GitServer = {
  /** URL of the repository. */
  readonly url: string;
  /** `authorization` headers of the requests so far. */
  readonly authorizations: (string | undefined)[];
  /** Password that requests must have. Undefined: anonymous access. */
  token: string | undefined;
  misbehave: Misbehaviour | undefined;
  /** Commits files and returns the id of the commit. */
  readonly commit: (files: Readonly<Record<string, string>>) => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Starts a server of one repository with one branch, `main`. The content `-> target` creates a symbolic link. */
export async function startGitServer(files: Readonly<Record<string, string>>): Promise<GitServer> {
  const root = await mkdtemp(path.join(tmpdir(), 'svc-git-'));
  const work = path.join(root, 'shop.git');
  const git = (...words: string[]) =>
    run('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...words], {
      cwd: work,
      env: { PATH: process.env['PATH'], HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
    });
  const commit = async (more: Readonly<Record<string, string>>): Promise<string> => {
    for (const [name, text] of Object.entries(more)) {
      const at = path.join(work, name);
      await mkdir(path.dirname(at), { recursive: true });
      if (text.startsWith('-> ')) await symlink(text.slice(3), at);
      else await writeFile(at, text);
    }
    await git('add', '--all');
    await git('commit', '--quiet', '--message', 'Files');
    return (await git('rev-parse', 'HEAD')).stdout.trim();
  };
  await mkdir(work);
  await git('init', '--quiet', '--initial-branch', 'main');
  await commit(files);

  const served: { token: string | undefined; misbehave: Misbehaviour | undefined } = {
    token: undefined,
    misbehave: undefined,
  };
  const authorizations: (string | undefined)[] = [];
  const server = http.createServer((request, response) => {
    const { authorization } = request.headers;
    authorizations.push(authorization);
    const given = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
    if (served.misbehave?.(request, response)) return;
    if (served.token !== undefined && !given.endsWith(`:${served.token}`))
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('no');
    else serve(root, request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(served, {
    url: `http://127.0.0.1:${port}/shop.git`,
    authorizations,
    commit,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(root, { recursive: true, force: true });
    },
  });
}

/** Passes a request to `git http-backend` through CGI. */
function serve(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://git');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: root,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin);
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.on('close', () => {
    const whole = Buffer.concat(parts);
    const end = whole.indexOf('\r\n\r\n');
    const headers = whole.subarray(0, end).toString().split('\r\n');
    let status = 200;
    for (const line of headers) {
      const [name = '', value = ''] = line.split(/:\s*/, 2);
      if (name.toLowerCase() === 'status') status = Number(value.slice(0, 3));
      else if (name !== '') response.setHeader(name, value);
    }
    response.writeHead(status).end(whole.subarray(end + 4));
  });
}
