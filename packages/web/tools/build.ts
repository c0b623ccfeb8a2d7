import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { budgetReport } from './budget.ts';
import { withBuildLock } from './build-lock.ts';
import { documentationFiles, writeDocumentation } from './documentation.ts';

/**
 * `npm run build -w @svc/web`: builds the UI into `dist`, with compressed twins of what compresses. Does nothing
 * when the sources are those of the last build.
 */
const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const marker = path.join(dist, '.built-from');
const sources = ['src', 'public', 'tools', '../contract/src'];
const singles = [
  'index.html',
  'vite.config.ts',
  'package.json',
  '../contract/package.json',
  '../../package.json',
  '../../package-lock.json',
  '../../CHANGELOG.md',
];

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  const files = [...singles];
  for (const folder of sources) {
    const found = await readdir(path.join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of found) {
      if (entry.isFile() && !entry.name.includes('.test.'))
        files.push(path.relative(root, path.join(entry.parentPath, entry.name)));
    }
  }
  files.push(...documentationFiles().map((file) => path.relative(root, file)));
  for (const file of files.sort()) hash.update(file).update(await readFile(path.join(root, file)));
  return hash.digest('hex');
}

const compressible = /\.(js|css|svg|html|json|md|txt)$/;
const smallestWorthwhileBytes = 1_024;
const brotliQuality = 11;

async function compress(): Promise<void> {
  const files = await readdir(dist, { recursive: true, withFileTypes: true });
  for (const entry of files) {
    if (!entry.isFile() || !compressible.test(entry.name) || entry.name === 'index.html') continue;
    const file = path.join(entry.parentPath, entry.name);
    const content = await readFile(file);
    if (content.length < smallestWorthwhileBytes) continue;
    await writeFile(`${file}.gz`, gzipSync(content, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
    await writeFile(`${file}.br`, brotliCompressSync(content, { params }));
  }
}

async function buildUi(hash: string): Promise<void> {
  const started = performance.now();
  // An unfinished build must not leave a marker. Its other files do no harm.
  rmSync(marker, { force: true });
  // Always build for production: under a test runner the bundle would contain the development builds of libraries.
  process.env['NODE_ENV'] = 'production';
  // Natively, as this program is: the configuration reads the contract's sources.
  await build({
    root,
    configFile: path.join(root, 'vite.config.ts'),
    configLoader: 'native',
    logLevel: 'warn',
  });
  writeDocumentation(dist);
  await compress();
  console.log(budgetReport(dist).text);
  console.log(`The UI was built in ${((performance.now() - started) / 1_000).toFixed(1)} s.`);
  // An over-heavy page is a page all the same: `npm run budget -w @svc/web` is what fails.
  writeFileSync(marker, hash);
}

const isForced = process.argv.includes('--force');
await withBuildLock(path.join(root, '.build-lock'), async () => {
  const hash = await sourceHash();
  if (!isForced && existsSync(marker) && readFileSync(marker, 'utf8') === hash)
    console.log('The UI is built already from these sources.');
  else await buildUi(hash);
});
