import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { expect, test } from 'vitest';

const runtimeMaxBytes = 6_000;
const withRoutesMaxBytes = 9_000;

/** Returns the compressed size of JavaScript files, without comments. Bundlers remove more. */
function sizeOf(pattern: string, exclude: readonly string[]): number {
  const files = globSync(pattern, { cwd: import.meta.dirname, exclude: ['*.test.ts', ...exclude] });
  const text = files.map((file) => {
    const compilerOptions = {
      target: ts.ScriptTarget.ES2024,
      removeComments: true,
      verbatimModuleSyntax: true,
    };
    return ts.transpileModule(readFileSync(path.join(import.meta.dirname, file), 'utf8'), { compilerOptions })
      .outputText;
  });
  expect(files.length).toBeGreaterThan(4);
  return gzipSync(text.join('\n')).length;
}

test('the runtime is 6 kB at most, and 9 kB with the addresses of all operations', () => {
  expect(sizeOf('*.ts', ['*.generated.ts'])).toBeLessThan(runtimeMaxBytes);
  expect(sizeOf('*.ts', ['schemas.generated.ts', 'operations.generated.ts'])).toBeLessThan(
    withRoutesMaxBytes,
  );
});

test('the package imports only its own files', () => {
  const text = globSync('*.ts', { cwd: import.meta.dirname, exclude: ['*.test.ts'] })
    .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8'))
    .join('\n');
  const imported = [...text.matchAll(/ from '([^']+)'/g)].map(([, name = '']) => name);
  expect(imported.filter((name) => !name.startsWith('./'))).toEqual([]);
  expect(imported.length).toBeGreaterThan(5);
});
