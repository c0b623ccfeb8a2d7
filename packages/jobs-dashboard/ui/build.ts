import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/**
 * `npm run build -w @svc/jobs-dashboard`: builds the pages into `ui/dist`, with compressed copies of compressible
 * files. Does nothing when the sources equal those of the last build.
 */
const root = import.meta.dirname;
const dist = path.join(root, 'dist');
const marker = path.join(dist, '.built-from');
const singles = ['index.html', 'vite.config.ts', 'build.ts', '../package.json', '../../../package-lock.json'];
const compressible = /\.(js|css|svg)$/;
const smallestWorthwhileBytes = 1_024;
const bytesPerKb = 1_000;

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  const files = [...singles];
  for (const folder of ['src', 'public']) {
    const found = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of found) {
      if (entry.isFile()) files.push(path.relative(root, path.join(entry.parentPath, entry.name)));
    }
  }
  for (const file of files.sort()) hash.update(file).update(await readFile(path.join(root, file)));
  return hash.digest('hex');
}

async function compress(): Promise<void> {
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !compressible.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const content = await readFile(file);
    if (content.length < smallestWorthwhileBytes) continue;
    const packed = gzipSync(content, { level: 9 });
    await writeFile(`${file}.gz`, packed);
    if (entry.name.endsWith('.js'))
      console.log(`${(packed.length / bytesPerKb).toFixed(1).padStart(7)} kB  ${entry.name}`);
  }
}

const hash = await sourceHash();
if (existsSync(marker) && readFileSync(marker, 'utf8') === hash) {
  console.log('The pages of the job dashboard are built already from these sources.');
} else {
  // An unfinished build leaves no marker, so the next call builds again.
  rmSync(marker, { force: true });
  await build({ root, configFile: path.join(root, 'vite.config.ts'), logLevel: 'warn' });
  await compress();
  writeFileSync(marker, hash);
}
