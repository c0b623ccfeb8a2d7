import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const outputMax = 256 * 1_024 * 1_024;

/** Where the bill of materials is written, from the root of the repository. */
export const sbomFile = 'dist/sbom.cdx.json';

/**
 * Writes what the service is made of, with versions and licences, as a CycloneDX document. npm reads it from the
 * lockfile, so nothing is asked of a registry. It names what builds and tests as well, and marks it as such: the pages
 * are bundled from packages that are not installed where they run.
 *
 * @returns how many components it names.
 */
export async function writeSbom(root: string): Promise<number> {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  const { stdout } = await run('npm', args, { cwd: root, maxBuffer: outputMax });
  const { components } = JSON.parse(stdout) as { components: readonly unknown[] };
  const file = path.join(root, sbomFile);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, stdout);
  return components.length;
}
