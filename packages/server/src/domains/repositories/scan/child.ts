import * as fs from 'node:fs';
import { Socket } from 'node:net';
import git, { type GitHttpRequest, type GitHttpResponse } from 'isomorphic-git';
import { type FoundReference, findReferences, knownTables } from './find-references.ts';
import type { ChildFailure, FromChild, GitResponse, Scanned, ToChild } from './messages.ts';

/**
 * Program of the process that reads a repository. Data from a git server is parsed here, because the service can kill
 * this process. The process has no environment and no network. It can access only its program and its own folder. It sends
 * its requests for the git server to the service.
 */
const filesMax = 20_000;
const fileBytesMax = 1_000_000;
const referencesMax = 20_000;

/** Extensions of files that may name tables. Other files are not opened. */
const readable =
  /\.(sql|ddl|dml|psql|pgsql|plsql|tsql|py|ipynb|r|rb|php|java|kt|kts|scala|groovy|cs|fs|vb|go|rs|ts|tsx|mts|cts|js|jsx|mjs|cjs|vue|svelte|ex|exs|erl|clj|pl|pm|swift|c|cc|cpp|h|hpp|xml|ya?ml|json|toml|prisma|hbm|jinja|j2|sh|ps1|dart|lua)$/i;

Socket.prototype.connect = () => {
  throw new Error('This process has no network.');
};

const send = (message: FromChild): void => void process.send?.(message);

let resolveResponse: ((answer: GitResponse) => void) | undefined;

async function request({
  url,
  method = 'GET',
  headers = {},
  body,
}: GitHttpRequest): Promise<GitHttpResponse> {
  const parts: Uint8Array[] = [];
  for await (const part of body ?? []) parts.push(part);
  const response = new Promise<GitResponse>((resolve) => {
    resolveResponse = resolve;
  });
  send({
    type: 'request',
    request: { url, method, headers, body: body ? Buffer.concat(parts) : undefined },
  });
  const { status, headers: received, body: bytes } = await response;
  return {
    url,
    method,
    headers: received,
    statusCode: status,
    statusMessage: String(status),
    body: (async function* () {
      yield bytes;
    })(),
  };
}

type Job = Extract<ToChild, { type: 'scan' }>;

async function scan({ url, branch, folder, tables }: Job): Promise<Scanned> {
  const place = { fs, dir: folder };
  await git.clone({
    ...place,
    http: { request },
    url,
    ref: branch,
    depth: 1,
    singleBranch: true,
    noTags: true,
    noCheckout: true,
  });
  const commitId = await git.resolveRef({ ...place, ref: 'HEAD' });
  const knownNames = knownTables(tables);
  const references: FoundReference[] = [];
  let fileCount = 0;
  let isCut = false;
  const read = async (oid: string, path: string): Promise<void> => {
    if (fileCount >= filesMax || references.length >= referencesMax) {
      isCut = true;
      return;
    }
    const { blob } = await git.readBlob({ ...place, oid });
    if (blob.byteLength > fileBytesMax) {
      isCut = true;
      return;
    }
    fileCount += 1;
    if (blob.includes(0)) return;
    references.push(...findReferences(path, Buffer.from(blob).toString('utf8'), knownNames));
  };
  // Depth first. Links and submodules are other kinds of entries and are skipped.
  const walk = async (oid: string, prefix: string): Promise<void> => {
    const { tree } = await git.readTree({ ...place, oid });
    for (const entry of tree) {
      const path = `${prefix}${entry.path}`;
      if (entry.type === 'tree') await walk(entry.oid, `${path}/`);
      else if (entry.type === 'blob' && entry.mode !== '120000' && readable.test(path))
        await read(entry.oid, path);
    }
  };
  await walk(commitId, '');
  if (references.length > referencesMax) isCut = true;
  return { commitId, fileCount, isCut, references: references.slice(0, referencesMax) };
}

function failureOf(error: unknown): ChildFailure {
  const code = Object(error).code;
  if (code === 'NotFoundError' || code === 'NoRefspecError' || code === 'EmptyServerResponseError')
    return 'BranchNotFound';
  if (code === 'SmartHttpError' || code === 'RemoteCapabilityError' || code === 'ParseError')
    return 'NoGitServer';
  return 'Unreadable';
}

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => {
  // Only the service writes to this channel.
  const received = message as ToChild;
  if (received.type === 'answer') return resolveResponse?.(received.answer);
  scan(received).then(
    (scanned) => send({ type: 'scanned', scanned }),
    (error: unknown) => send({ type: 'failed', failure: failureOf(error) }),
  );
});
