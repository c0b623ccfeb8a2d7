import type { DataSourceMetadata } from '@svc/contract';
import type { Database } from '../../platform/db/index.ts';
import { HttpProblem } from '../../platform/http/index.ts';
import { acceptedValues } from '../data-contracts/index.ts';
import { activeTerms } from '../glossary/index.ts';
import { soundExamples } from '../golden-examples/index.ts';
import { approvedPatterns } from '../learning/index.ts';
import { confirmedKeys } from '../relationships/index.ts';
import type { Knowledge } from './knowledge.ts';
import { listedValues } from './listed-values.ts';

export type ReadKnowledgeDeps = {
  readonly database: Database;
  /** Returns the stored schema of a data source. Contains no permission check. */
  readonly snapshotOf: (dataSourceId: number) => Promise<DataSourceMetadata>;
};

export type ReadKnowledge = ReturnType<typeof createReadKnowledge>;

/** Data to exclude. */
type Without = {
  /** Id of the golden example under evaluation. The model must not see its own answer. */
  readonly exampleId?: number | undefined;
};

/**
 * Reads the context of a data source in a project. Contains no permission check: the caller must have checked the
 * project. A source with an unreadable schema has no tables.
 */
export const createReadKnowledge =
  ({ database, snapshotOf }: ReadKnowledgeDeps) =>
  async (projectId: number, dataSourceId: number, without: Without = {}): Promise<Knowledge> => {
    const schema = await snapshotOf(dataSourceId).catch((error: unknown) => {
      if (error instanceof HttpProblem) return undefined;
      throw error;
    });
    const examples = await soundExamples(database, projectId, dataSourceId);
    return {
      engine: schema?.engine ?? '',
      tables: schema?.tables ?? [],
      keys: await confirmedKeys(database, dataSourceId),
      values: [
        ...listedValues(schema?.tables ?? []),
        ...(await acceptedValues(database, projectId, dataSourceId)),
      ],
      terms: await activeTerms(database, projectId, dataSourceId),
      examples: examples.filter(({ id }) => id !== without.exampleId),
      patterns: await approvedPatterns(database, projectId, dataSourceId),
    };
  };
