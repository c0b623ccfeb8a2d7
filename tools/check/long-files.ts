import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const linesMax = 500;

/** Returns the source files that are longer than `linesMax`. Generated files do not count. */
export function findLongFiles(root: string, folders: readonly string[]): string[] {
  const files = globSync(`{${folders.join(',')}}/**/*.{ts,tsx,mjs,css,sql}`, {
    cwd: root,
    exclude: (entry) => ['node_modules', 'dist'].includes(path.basename(String(entry))),
  });
  return files
    .filter((file) => !file.includes('.generated.') && !file.endsWith('migrations/schema.sql'))
    .map((file) => ({ file, lines: readFileSync(path.join(root, file), 'utf8').split('\n').length - 1 }))
    .filter(({ lines }) => lines > linesMax)
    .map(({ file, lines }) => `${file}: ${lines} lines`);
}
