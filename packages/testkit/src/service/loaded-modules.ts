import { spawnSync } from 'node:child_process';

/**
 * Loads a module in a child process, as a program with these arguments.
 *
 * @returns the URLs of all modules that were loaded with it.
 */
export function modulesLoadedWith(address: string, args: readonly string[] = []): readonly string[] {
  const program = `
    import fs from 'node:fs';
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    process.on('exit', () => fs.writeSync(1, JSON.stringify(loaded)));
    await import(${JSON.stringify(address)});`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=svc-source', '--input-type=module', '-e', program, 'program', ...args],
    { encoding: 'utf8', maxBuffer: 64 * 1_048_576 },
  );
  const at = stdout.lastIndexOf('["');
  if (at === -1) throw new Error(`${address} was not loaded: ${stderr}`);
  return JSON.parse(stdout.slice(at));
}
