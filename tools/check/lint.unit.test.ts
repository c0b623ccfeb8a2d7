import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const biome = path.resolve('node_modules/@biomejs/biome/bin/biome');

/** Returns the report of the repository's lint rules about a file. */
function lint(text: string): string {
  const folder = mkdtempSync(path.resolve('tools/check/lint/planted-'));
  try {
    const file = path.join(folder, 'planted.ts');
    writeFileSync(file, text);
    const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', file], { encoding: 'utf8' });
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const message = 'a fresh literal is not spread into another literal';

test.each([
  'export const planted = { ...{ one: 1 }, two: 2 };\n',
  'export const planted = [...[1, 2], 3];\n',
  'export const planted = Math.max(...[1, 2]);\n',
  "export const planted = [...(['one', 'two'] as const), 'three'];\n",
  'export const planted = { ...({ one: 1 } as const) };\n',
])('a fresh literal that is spread is reported: %s', (text) => {
  expect(lint(text)).toContain(message);
});

test('a spread of a variable and of a condition is accepted', () => {
  const text = `export const fine = (is: boolean, all: readonly number[]) => ({
  all: [...all, ...(is ? [1] : [])],
  ...(is ? { is } : {}),
});
`;
  expect(lint(text)).not.toContain(message);
});
