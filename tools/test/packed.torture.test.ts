import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPacked, type PackedInstallation } from './packed.ts';

describe('packed packages', () => {
  let installation: PackedInstallation;
  beforeAll(async () => {
    installation = await installPacked({ packages: ['@svc/jobs', '@svc/contract', '@svc/cli'] });
  }, 120_000);
  afterAll(() => installation.remove());

  const runHere = (code: string) => {
    const file = path.join(installation.folder, 'example.mjs');
    writeFileSync(file, code);
    return spawnSync(process.execPath, [file], { encoding: 'utf8' });
  };

  test('run under plain Node, without the sources and without an export condition', () => {
    const { stdout, stderr } = runHere(
      `const [jobs, contract] = [await import('@svc/jobs'), await import('@svc/contract')];
       console.log(Object.keys(jobs).length > 0, Object.keys(contract).length > 0, import.meta.resolve('@svc/jobs'));`,
    );
    expect(stderr).toBe('');
    expect(stdout).toContain('true true');
    expect(stdout).toContain(`${installation.folder}/node_modules/@svc/jobs/dist/index.js`);
  });

  test('provide a command line that runs by its name and a client without dependencies', () => {
    const packages = path.join(installation.folder, 'node_modules/@svc');
    const manifest = JSON.parse(readFileSync(path.join(packages, 'cli/package.json'), 'utf8'));
    const help = spawnSync(process.execPath, [path.join(packages, 'cli', manifest.bin.svc), '--help'], {
      encoding: 'utf8',
    });
    expect([help.status, help.stderr, help.stdout]).toEqual([0, '', expect.stringContaining('whoami')]);
    const { stdout } = runHere(
      `const { createSvcClient } = await import('@svc/client');
       const client = createSvcClient({ url: 'http://127.0.0.1:9', retriesMax: 0 });
       await client.getHealth().catch((error) => console.log(error.name));`,
    );
    expect(stdout).toBe('SvcConnectionError\n');
    expect(
      JSON.parse(readFileSync(path.join(packages, 'client/package.json'), 'utf8')).dependencies,
    ).toBeUndefined();
    expect(existsSync(path.join(packages, 'client/dist/schemas.generated.d.ts'))).toBe(true);
  });

  test('contain declarations and data files, but no sources and no tests', () => {
    const folder = path.join(installation.folder, 'node_modules/@svc/jobs');
    const files = readdirSync(folder, { recursive: true }).map(String);
    expect(existsSync(path.join(folder, 'dist/index.d.ts'))).toBe(true);
    expect(files.filter((file) => file.endsWith('.sql'))).not.toEqual([]);
    expect(files.filter((file) => /(^src|\.test\.|testing)/.test(file))).toEqual([]);
  });

  test('a package that is not published cannot be installed', async () => {
    await expect(installPacked({ packages: ['@svc/nonsense'] })).rejects.toThrow(
      'There is no published package named @svc/nonsense',
    );
  });
});
