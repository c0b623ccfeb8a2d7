import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sbomFile, writeSbom } from './sbom.ts';

type Component = {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: unknown[];
};
const root = path.join(import.meta.dirname, '../..');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sbom-'));
  for (const name of ['package.json', 'package-lock.json', 'packages', 'apps'])
    symlinkSync(path.join(root, name), path.join(folder, name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the bill of materials lists packages that run or are bundled, with versions and licences', async () => {
  const count = await writeSbom(folder);
  const bom = JSON.parse(readFileSync(path.join(folder, sbomFile), 'utf8')) as {
    bomFormat: string;
    components: Component[];
  };
  expect(bom.bomFormat).toBe('CycloneDX');
  expect(bom.components).toHaveLength(count);
  const names = bom.components.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['fastify', 'pg', 'pino', 'undici', 'react']));
  for (const { name, version, purl } of bom.components.filter(({ purl }) => !purl.includes('%40svc'))) {
    expect(version, name).toMatch(/^\d+\.\d+/);
    expect(purl, name).toContain('pkg:npm/');
  }
  expect(bom.components.find(({ name }) => name === 'fastify')?.licenses).toEqual([
    { license: { id: 'MIT' } },
  ]);
});
