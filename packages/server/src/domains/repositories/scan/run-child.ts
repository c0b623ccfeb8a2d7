import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ScanFailure } from '@svc/contract';
import type { AnsweredRequest, AskedRequest, FromChild, Scanned, ToChild } from './messages.ts';

/** The child's program lies beside this file, as source or compiled as this file is. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const entry = fileURLToPath(new URL(`./child${extension}`, import.meta.url));
const heapMb = 512;
/** What a repository unpacks to counts here, wherever V8 keeps it. */
const residentBytesMax = 1_200_000_000;
const lookAtMemoryMs = 250;
const pageBytes = 4_096;

export type ScanRequest = {
  readonly url: string;
  readonly branch: string;
  readonly tables: readonly string[];
  /** Asks the git server in the child's place; what it rejects with ends the scan. */
  readonly ask: (request: AskedRequest) => Promise<AnsweredRequest>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/** Why a scan came to nothing: a word of the closed list. */
export class ScanFailedError extends Error {
  override readonly name = 'ScanFailedError';
  readonly failure: ScanFailure;
  constructor(failure: ScanFailure, cause?: unknown) {
    super(`The scan failed: ${failure}.`, cause === undefined ? undefined : { cause });
    this.failure = failure;
  }
}

/** Folders that the child's program and its packages are read from: those above it that hold packages. */
function programFolders(): string[] {
  const folders: string[] = [];
  for (let at = path.dirname(entry); at !== path.dirname(at); at = path.dirname(at))
    folders.push(path.join(at, 'node_modules'));
  return [path.dirname(entry), ...folders];
}

/** Starts a process that may read its program and write its own folder, and nothing else. */
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

/** Resident memory of a process; undefined where the system does not tell. */
async function residentBytes(pid: number): Promise<number | undefined> {
  const text = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.split(' ')[1]) * pageBytes;
}

/**
 * Reads a branch of a repository in a process of its own.
 *
 * @throws ScanFailedError with a word of the closed list; the process is gone by then, and its folder too.
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
  const { url, branch, tables, ask, timeoutMs, signal } = request;
  const { promise, resolve, reject } = Promise.withResolvers<Scanned>();
  const send = (message: ToChild): void => void child.send(message, (error) => error && reject(error));
  const fail = (failure: ScanFailure) => reject(new ScanFailedError(failure));
  const deadline = setTimeout(() => fail('TooLong'), timeoutMs);
  const memory = setInterval(() => {
    void residentBytes(child.pid ?? 0).then((bytes) => {
      if (bytes !== undefined && bytes > residentBytesMax) fail('TooLarge');
    });
  }, lookAtMemoryMs);
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  child.once('error', reject);
  // Its heap is full, or it was killed for its memory: nothing else ends it by itself.
  child.once('exit', () => fail('TooLarge'));
  child.on('message', (message) => {
    // The channel carries only what our own program on the other side sends.
    const received = message as FromChild;
    if (received.type === 'request')
      ask(received.request).then((answer) => send({ type: 'answer', answer }), reject);
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
