import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longer than their size suggests, longest first. A long file that starts last runs alone at the end.
 * Without times of an earlier run, the runner orders files by size.
 */
export const longFiles: readonly string[] = [
  'spec/access/matrix.torture.test.ts',
  'spec/access/paths.torture.test.ts',
  'spec/scenarios/routes/provisioning.spec.ts',
  'spec/scenarios/routes/command-line.spec.ts',
];

const root = path.resolve(import.meta.dirname, '../..');

/** Begins with the long files; the rest in the runner's own order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = longFiles.indexOf(path.relative(root, moduleId));
      return rank < 0 ? longFiles.length : rank;
    };
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}
