import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const biome = path.resolve('node_modules/@biomejs/biome/bin/biome');
const plugin = './tools/check/lint/fresh-literal-spread.grit';

/** Returns the report of the rule about a file, in a folder that contains nothing else. */
function lint(text: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-lint-'));
  try {
    writeFileSync(path.join(folder, 'biome.json'), JSON.stringify({ plugins: [path.resolve(plugin)] }));
    writeFileSync(path.join(folder, 'planted.ts'), text);
    const options = { cwd: folder, encoding: 'utf8' } as const;
    const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', 'planted.ts'], options);
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const message = 'a fresh literal is not spread into another literal';

test('the rule applies to the repository', () => {
  const { plugins } = JSON.parse(readFileSync('biome.json', 'utf8')) as { plugins: readonly string[] };
  expect(plugins).toContain(plugin);
});

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
  const report = lint(text);
  expect(report).toContain('Checked 1 file');
  expect(report).not.toContain(message);
});
