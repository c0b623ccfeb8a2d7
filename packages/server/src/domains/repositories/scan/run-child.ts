import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScanFailure } from '@svc/contract';
import type { FromChild, GitRequest, GitResponse, Scanned, ToChild } from './messages.ts';

/** The child's program is in the folder of this file, as source or compiled like this file. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const entry = fileURLToPath(new URL(`./child${extension}`, import.meta.url));
const heapMb = 512;
/** Maximum resident memory of the child, in bytes. Includes unpacked data outside the heap of V8. */
const residentBytesMax = 1_200_000_000;
const memoryCheckMs = 250;
const pageBytes = 4_096;

export type ScanRequest = {
  readonly url: string;
  readonly branch: string;
  readonly tables: readonly string[];
  /** Sends the child's request to the git server. A rejection ends the scan. */
  readonly sendRequest: (request: GitRequest) => Promise<GitResponse>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/** Failure of a scan, with a reason from the closed list. */
export class ScanFailedError extends Error {
  override readonly name = 'ScanFailedError';
  readonly failure: ScanFailure;
  constructor(failure: ScanFailure, cause?: unknown) {
    super(`The scan failed: ${failure}.`, cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}

/** Returns the folders of the child's program and of its packages: its own folder, and each `node_modules` above it. */
function programFolders(): string[] {
  const folders: string[] = [];
  for (let at = path.dirname(entry); at !== path.dirname(at); at = path.dirname(at))
    folders.push(path.join(at, 'node_modules'));
  return [path.dirname(entry), ...folders];
}

/** Starts a process that may read its program and its folder, and write only its folder. */
function startChild(folder: string): ChildProcess {
  const reads = [...programFolders(), folder].map((read) => `--allow-fs-read=${read}${path.sep}*`);
  return fork(entry, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    cwd: folder,
    env: { TZ: 'UTC' },
    execArgv: [
      `--max-old-space-size=${heapMb}`,
      '--permission',
      ...reads,
      `--allow-fs-write=${folder}${path.sep}*`,
      '--disable-warning=ExperimentalWarning',
      '--disable-warning=SecurityWarning',
    ],
  });
}

/** Returns the resident memory of a process in bytes; undefined if the system does not provide it. */
async function residentBytes(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.split(' ')[1]) * pageBytes;
}

/**
 * Reads a branch of a repository in a separate process.
 *
 * @throws ScanFailedError with a reason from the closed list. By then the process has ended and its folder is deleted.
 */
export async function scanInChild(request: ScanRequest): Promise<Scanned> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'svc-repository-')));
  const child = startChild(folder);
  const gone = new Promise<void>((resolve) =>
    child.once('exit', () => resolve()).once('error', () => resolve()),
  );
  try {
    return await talk(child, folder, request);
  } finally {
    child.kill('SIGKILL');
    await gone;
    await rm(folder, { recursive: true, force: true });
  }
}

function talk(child: ChildProcess, folder: string, request: ScanRequest): Promise<Scanned> {
  const { url, branch, tables, sendRequest, timeoutMs, signal } = request;
  const { promise, resolve, reject } = Promise.withResolvers<Scanned>();
  const send = (message: ToChild): void => void child.send(message, (error) => error && reject(error));
  const fail = (failure: ScanFailure) => reject(new ScanFailedError(failure));
  const deadline = setTimeout(() => fail('TooLong'), timeoutMs);
  const memory = setInterval(() => {
    void residentBytes(child.pid ?? 0).then((bytes) => {
      if (bytes !== undefined && bytes > residentBytesMax) fail('TooLarge');
    });
  }, memoryCheckMs);
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  child.once('error', reject);
  // Its heap is full, or the system killed it for its memory. No other cause ends it.
  child.once('exit', () => fail('TooLarge'));
  child.on('message', (message) => {
    // Only our program on the other side writes to the channel.
    const received = message as FromChild;
    if (received.type === 'request')
      sendRequest(received.request).then((answer) => send({ type: 'answer', answer }), reject);
    else if (received.type === 'scanned') resolve(received.scanned);
    else fail(received.failure);
  });
  send({ type: 'scan', url, branch, folder, tables });
  return promise.finally(() => {
    clearTimeout(deadline);
    clearInterval(memory);
    signal.removeEventListener('abort', stop);
  });
}
