import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const outputMax = 256 * 1_024 * 1_024;

/** Path of the bill of materials, relative to the root of the repository. */
export const sbomFile = 'dist/sbom.cdx.json';

/**
 * Writes the components of the service with versions and licences as a CycloneDX document. npm reads them from the
 * lockfile, without a registry. Development packages are included and marked: the pages are bundled from packages that
 * a production installation does not contain.
 *
 * @returns the number of components.
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
