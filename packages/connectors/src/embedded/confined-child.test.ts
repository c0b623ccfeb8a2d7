import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDuckdbConnector } from '../duckdb/index.ts';
import { ConnectorError } from '../error.ts';
import { createFilePolicy } from '../files/file-policy.ts';
import { type ChildPool, createChildPool } from './child-pool.ts';
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
  it.each(['sqlite', 'duckdb'] as const)('reports itself as confined (%s)', (kind) =>
    withChild(kind, (child) => {
      expect(child.isConfined()).toBe(true);
    }),
  );

  it.each(['sqlite', 'duckdb'] as const)('is restricted in every thread that can run work (%s)', (kind) =>
    withChild(kind, ({ pid }) => {
      const unrestricted = readdirSync(`/proc/${pid}/task`).flatMap((id) => {
        const status = readFileSync(`/proc/${pid}/task/${id}/status`, 'utf8');
        const name = /^Name:\t(.*)$/m.exec(status)?.[1] ?? '';
        return /^NoNewPrivs:\t1$/m.test(status) || runtimeThreads.has(name) ? [] : [name];
      });
      expect(unrestricted).toEqual([]);
    }),
  );

  it('causes a warning of the connection test if the system cannot restrict it', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-confinement-'));
    const file = path.join(folder, 'a.csv');
    writeFileSync(file, 'a\n1\n');
    const pool = createChildPool({ kind: 'duckdb', max: 1 });
    const files = createFilePolicy({ allowedFolders: [folder] });
    const resources = { memoryMb: 64, temporaryMb: 64, threads: 1 };
    const call = {
      dial: () => Promise.reject(new Error('DuckDB needs no connection.')),
      signal: new AbortController().signal,
      timeoutMs: 600_000,
    };
    const warningsOf = async (used: ChildPool) => {
      const connector = createDuckdbConnector({ pool: used, files, resources });
      const result = await connector.testConnection({ files: [{ name: 'a', path: file }] }, call);
      return result.isOk ? result.warnings.map(({ code }) => code) : [result.error.message];
    };
    try {
      expect(await warningsOf(pool)).toEqual([]);
      expect(await warningsOf({ ...pool, isConfined: () => false })).toEqual(['not-confined']);
    } finally {
      await pool.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('is not confined if it is a process of the writer', () =>
    withChild('duckdb-files', (child) => {
      expect(child.isConfined()).toBe(false);
    }));
});
