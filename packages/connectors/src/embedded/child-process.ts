import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConnectorError } from '../error.ts';
import type { ChildKind, FromChild, ToChild } from './messages.ts';

/** The child's program lies beside this file, as source or compiled as this file is. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const entry = fileURLToPath(new URL(`./entry${extension}`, import.meta.url));
const confine = fileURLToPath(new URL(`./confine${extension}`, import.meta.url));
/** JavaScript of a child needs little: rows pass through it in small batches. */
const childHeapMb = 384;

/** One child process and its messages in order. */
export type Child = {
  readonly kind: ChildKind;
  readonly pid: number;
  readonly send: (message: ToChild) => void;
  /** The next message. Rejects with `engine-unavailable` when the child is gone, with a cause when it was killed. */
  readonly receive: () => Promise<FromChild>;
  /** Ends the process at once, whatever it is doing; what waits for it is told the reason. */
  readonly kill: (reason: ConnectorError) => void;
  readonly isAlive: () => boolean;
  /** The system keeps the process from writing outside its own folder. False until it is ready. */
  readonly isConfined: () => boolean;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
};

/**
 * Starts a child. It inherits no environment, hence no secret. A child that runs statements of users may write into a
 * folder of its own and nowhere else, where the system can enforce this.
 *
 * @param temporaryParent  where the child's folder is made. Default: the system's temporary folder.
 */
export function startChild(kind: ChildKind, temporaryParent = os.tmpdir()): Child {
  const folder = makeFolder(temporaryParent);
  const process_ = fork(entry, [kind, folder.probe, folder.writable], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [
      `--max-old-space-size=${childHeapMb}`,
      '--disable-warning=ExperimentalWarning',
      ...(kind === 'duckdb-files' ? [] : ['--require', confine]),
    ],
    env: { TZ: 'UTC' },
  });
  const child = connectChild(kind, process_);
  void child.gone.then(folder.remove);
  return child;
}

/** The child tries to write to the probe, which it may not do. */
function makeFolder(parent: string) {
  const folder = mkdtempSync(path.join(parent, 'svc-engine-'));
  const writable = path.join(folder, 'work');
  const probe = path.join(folder, 'probe');
  mkdirSync(writable);
  writeFileSync(probe, '');
  return { writable, probe, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function connectChild(kind: ChildKind, child: ChildProcess): Child {
  const inbox: FromChild[] = [];
  let waiting: { resolve: (message: FromChild) => void; reject: (error: Error) => void } | undefined;
  let ended: ConnectorError | undefined;
  let complaint = '';
  let isConfined = false;

  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk}`.slice(-2_000);
  });

  function end(error: ConnectorError): void {
    ended ??= error;
    waiting?.reject(ended);
    waiting = undefined;
  }

  const gone = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      end(deathOf(code, signal, complaint));
      resolve();
    });
    child.once('error', (error) => {
      end(
        new ConnectorError('engine-unavailable', 'The engine’s process could not be started.', {
          cause: error,
        }),
      );
      resolve();
    });
  });

  child.on('message', (message) => {
    // The channel carries only what our own program on the other side sends.
    const received = message as FromChild;
    if (received.type === 'ready') isConfined = received.isConfined;
    if (waiting) {
      const { resolve } = waiting;
      waiting = undefined;
      resolve(received);
    } else {
      inbox.push(received);
    }
  });

  return {
    kind,
    pid: child.pid ?? 0,
    send: (message) => {
      if (ended || !child.connected) return;
      child.send(message, (error) => {
        if (error)
          end(new ConnectorError('engine-unavailable', 'The engine’s process went away.', { cause: error }));
      });
    },
    receive: () =>
      new Promise((resolve, reject) => {
        const next = inbox.shift();
        if (next) resolve(next);
        else if (ended) reject(ended);
        else waiting = { resolve, reject };
      }),
    kill: (reason) => {
      end(reason);
      child.kill('SIGKILL');
    },
    isAlive: () => ended === undefined && child.connected,
    isConfined: () => isConfined,
    gone,
  };
}

function deathOf(code: number | null, signal: string | null, complaint: string): ConnectorError {
  const how = signal ? `was ended by ${signal}` : `ended with code ${code}`;
  // V8 gives up with SIGABRT (or 134) when its heap is full, the kernel with SIGKILL.
  if (/heap out of memory/i.test(complaint) || signal === 'SIGKILL' || signal === 'SIGABRT') {
    return new ConnectorError(
      'out-of-memory',
      `The statement needed more memory than it is given (the engine ${how}).`,
    );
  }
  return new ConnectorError('engine-unavailable', `The engine’s process ${how}.`, { cause: complaint });
}
