import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConnectorError } from '../error.ts';
import type { ChildKind, FromChild, ToChild } from './messages.ts';

/** The child's program is in the same folder, as source or compiled like this file. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const entry = fileURLToPath(new URL(`./entry${extension}`, import.meta.url));
const confine = fileURLToPath(new URL(`./confine${extension}`, import.meta.url));
/** Heap of a child in MB. It is small: rows pass through it in small batches. */
const childHeapMb = 384;

/** Child process with an ordered message channel. */
export type Child = {
  readonly kind: ChildKind;
  readonly pid: number;
  readonly send: (message: ToChild) => void;
  /** Returns the next message. After the child's end it rejects with the reason of the end. */
  readonly receive: () => Promise<FromChild>;
  /** Ends the process immediately. Pending receivers reject with the reason. */
  readonly kill: (reason: ConnectorError) => void;
  readonly isAlive: () => boolean;
  /** The system prevents the process from writing outside its own folder. False until the process is ready. */
  readonly isConfined: () => boolean;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;
};

/**
 * Starts a child. It inherits no environment, hence no secret. A child that runs statements of users may write only
 * into its own folder, if the system can enforce this.
 *
 * @param temporaryParent  parent of the child's folder. Default: the system's temporary folder.
 */
export function startChild(kind: ChildKind, temporaryParent = os.tmpdir()): Child {
  const folder = makeFolder(temporaryParent);
  const process_ = fork(entry, [kind, folder.probe, folder.writable], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: [
      // The child finds packages of this repository as its parent does, from sources or from builds.
      ...process.execArgv.filter((option) => option.startsWith('--conditions=')),
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

/** Creates the child's folder. The child tests its confinement by opening the probe for writing, which must fail. */
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
    // Only our own program in the child sends on this channel.
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
  // V8 exits with SIGABRT (or 134) when its heap is full. The kernel uses SIGKILL.
  if (/heap out of memory/i.test(complaint) || signal === 'SIGKILL' || signal === 'SIGABRT') {
    return new ConnectorError(
      'out-of-memory',
      `The statement needed more memory than it is given (the engine ${how}).`,
    );
  }
  return new ConnectorError('engine-unavailable', `The engine’s process ${how}.`, { cause: complaint });
}
