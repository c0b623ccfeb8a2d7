import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../error.ts';
import { type Child, startChild } from './child-process.ts';
import type { ChildKind } from './messages.ts';

const ended = new ConnectorError('cancelled', 'The test has ended.');
/** Threads of the runtime, which run no code of an engine. */
const runtimeThreads = new Set(['DelayedTaskSche', 'V8Worker', 'SignalInspector']);

async function withChild(kind: ChildKind, work: (child: Child) => Promise<void> | void) {
  const child = startChild(kind);
  try {
    expect(await child.receive()).toMatchObject({ type: 'ready' });
    await work(child);
  } finally {
    child.kill(ended);
    await child.gone;
  }
}

describe('a child process that runs statements of users', () => {
  it.each(['sqlite', 'duckdb'] as const)('may not write outside its own folder (%s)', (kind) =>
    withChild(kind, (child) => {
      expect(child.isConfined()).toBe(true);
    }),
  );

  it.each(['sqlite', 'duckdb'] as const)('is restricted in every thread that can do work (%s)', (kind) =>
    withChild(kind, ({ pid }) => {
      const unrestricted = readdirSync(`/proc/${pid}/task`).flatMap((id) => {
        const status = readFileSync(`/proc/${pid}/task/${id}/status`, 'utf8');
        const name = /^Name:\t(.*)$/m.exec(status)?.[1] ?? '';
        return /^NoNewPrivs:\t1$/m.test(status) || runtimeThreads.has(name) ? [] : [name];
      });
      expect(unrestricted).toEqual([]);
    }),
  );

  it('leaves the processes of the writer unrestricted', () =>
    withChild('duckdb-files', (child) => {
      expect(child.isConfined()).toBe(false);
    }));
});
