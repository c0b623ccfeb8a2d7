import { expect, test } from 'vitest';
import { tellOfMigrations } from './database/migrations.ts';

const file = { schema: 'svc', name: '0012-large.sql', position: 2, total: 3 } as const;

function said(isFirst: boolean): string[] {
  const lines: string[] = [];
  const tell = tellOfMigrations((line) => lines.push(line));
  tell({ kind: 'waiting', schema: 'svc', elapsedMs: 1_000 });
  tell({ kind: 'pending', schema: 'svc', total: 3, isFirst });
  tell({ kind: 'running', ...file, elapsedMs: 0, isFirst });
  tell({ kind: 'running', ...file, elapsedMs: 10_000, isFirst, statement: { position: 1, total: 2 } });
  tell({ kind: 'applied', ...file, elapsedMs: 12_340, isFirst });
  return lines;
}

test('an upgrade reports the migration file that it applies, its progress and its duration', () => {
  expect(said(false)).toEqual([
    'Schema svc: waiting for another process that migrates it, for 1.0 s.',
    'Schema svc: 3 migrations to apply.',
    'Schema svc: 0012-large.sql (2 of 3), statement 1 of 2 runs for 10.0 s.',
    'Schema svc: 0012-large.sql (2 of 3) applied in 12.3 s.',
  ]);
});

test('the creation of a new schema is reported only if it takes long', () => {
  expect(said(true)).toEqual([
    'Schema svc: waiting for another process that migrates it, for 1.0 s.',
    'Schema svc: 0012-large.sql (2 of 3), statement 1 of 2 runs for 10.0 s.',
  ]);
});
