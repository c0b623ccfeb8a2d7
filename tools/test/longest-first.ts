import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take long for what is in them, longest first. One that begins last has its worker go on alone when the
 * others have nothing left, and where no run has left its times behind, the runner goes by the size of files.
 */
export const longFiles: readonly string[] = ['spec/access/matrix.spec.ts', 'spec/access/paths.spec.ts'];

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
