import { readdirSync } from 'node:fs';
import path from 'node:path';

const domains = 'packages/server/src/domains';
const filesMax = 15;

const isProduction = (name: string): boolean =>
  name.endsWith('.ts') && !/[.](test|spec)[.]ts$/.test(name) && name !== 'testing.ts';

/** Returns the domain folders with more than 15 production files. */
export function findFullDomainFolders(root: string): string[] {
  const folder = path.join(root, domains);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .flatMap((entry) => {
      const place = path.join(entry.parentPath, entry.name);
      const count = readdirSync(place).filter(isProduction).length;
      return count > filesMax ? [`${path.relative(root, place)}: ${count} files`] : [];
    });
}
