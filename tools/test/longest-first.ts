import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Slow files in relation to their size, the slowest of a tier first. A slow file that starts last runs alone at the
 * end. Without times of an earlier run, the runner orders files by size.
 */
export const longFiles: readonly string[] = [
  'spec/access/matrix.torture.test.ts',
  'apps/host/src/start.torture.test.ts',
  'packages/server/src/gateways/copy-data/kills.torture.test.ts',
  'tools/test/previous-version/previous-version.torture.test.ts',
  'packages/server/src/domains/data-migration/killed-service.torture.test.ts',
  'packages/server/src/domains/data-migration/killed-databases.torture.test.ts',
  'packages/connectors/src/databricks/hostile-server.torture.test.ts',
  'apps/host/src/lost-sessions.torture.test.ts',
  'examples/embedding.test.ts',
  'apps/host/src/silent-sessions.torture.test.ts',
  'packages/connectors/src/bigquery/hostile-server.torture.test.ts',
  'packages/server/src/domains/runs/scale.torture.test.ts',
  'spec/scenarios/routes/ui-pages.browser.spec.ts',
  'packages/web/src/browser/editor-and-results.test.ts',
  'packages/web/src/browser/every-page-is-accessible.test.ts',
  'spec/scenarios/routes/data-migration.browser.spec.ts',
  'spec/scenarios/routes/contract-editor.browser.spec.ts',
  'spec/access/paths.torture.test.ts',
  'spec/scenarios/routes/provisioning.spec.ts',
  'spec/scenarios/routes/command-line.spec.ts',
];

const root = path.resolve(import.meta.dirname, '../..');

/** Starts with the slow files. The rest stays in the order of the runner. */
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
