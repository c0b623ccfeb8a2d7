import { spawn } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PublishedPackage } from './packages.ts';

const notPublished = ['**/*.test.ts', '**/testing/**', '**/testing.ts', '**/*.spec.ts'];

/**
 * Builds one package into its `dist`: tsc writes JavaScript and declarations, other files of `src` are copied. The
 * packages of its dependencies must be built first: it uses their `dist`, as their users do.
 *
 * @throws Error with the output of tsc when the package does not compile.
 */
export async function buildPackage(root: string, one: PublishedPackage): Promise<void> {
  const { folder, name, buildScript } = one;
  if (buildScript !== undefined) return runOwnBuild(one, path.join(folder, buildScript));
  const source = path.join(folder, 'src');
  const target = path.join(folder, 'dist');
  rmSync(target, { recursive: true, force: true });
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'svc-build-'));
  const configFile = path.join(temporary, 'tsconfig.json');
  writeFileSync(
    configFile,
    JSON.stringify({
      extends: path.join(root, 'tsconfig.base.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        rewriteRelativeImportExtensions: true,
        customConditions: [],
        typeRoots: [path.join(root, 'node_modules/@types')],
        rootDir: source,
        outDir: target,
      },
      include: [`${source}/**/*.ts`, `${source}/**/*.tsx`],
      exclude: notPublished.map((pattern) => `${source}/${pattern}`),
    }),
  );
  try {
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
    const { code, output } = await run([tsc, '-p', configFile]);
    if (code !== 0) throw new Error(`${name} does not compile:\n${output}`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  for (const file of globSync('**/*.{sql,json,css,html,svg}', { cwd: source, exclude: notPublished })) {
    mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
    cpSync(path.join(source, file), path.join(target, file));
  }
}

async function runOwnBuild({ name, folder }: PublishedPackage, script: string): Promise<void> {
  const { code, output } = await run(['--conditions=svc-source', script], folder);
  if (code !== 0) throw new Error(`${name} cannot be built:\n${output}`);
}

function run(args: readonly string[], cwd?: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
