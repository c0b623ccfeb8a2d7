import type { CopyDefinition } from '../../doors/copy-data/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import { type OpenDataSources, targetOf } from '../data-sources/index.ts';
import type { LeftStaging } from './execution-store.ts';
import type { JobDefinition } from './store.ts';

/** What opens the two sides of a copy. */
export type Opening = {
  readonly openDataSources: OpenDataSources;
  /** Patterns of an operator for what is personal, beyond what is known. */
  readonly personalPatterns: readonly string[];
};

/**
 * The definition as the door takes it, with both sources opened.
 *
 * @throws Refusal (404) where a source is archived, (409) where its connection does not open.
 */
export async function copyDefinitionOf(
  executor: Executor,
  { openDataSources, personalPatterns }: Opening,
  job: JobDefinition,
  watermark: string | null,
): Promise<CopyDefinition> {
  const opened = await openDataSources(executor, [job.dataSourceId, job.destinationDataSourceId]);
  const [source, destination] = [job.dataSourceId, job.destinationDataSourceId].map((wanted) =>
    opened.find(({ id }) => id === wanted),
  );
  if (!source || !destination) throw notFound();
  return {
    source: job.source as CopyDefinition['source'],
    dataSource: targetOf(source),
    destination: job.destination,
    destinationDataSource: targetOf(destination),
    createsTable: job.createsTable,
    mode: job.mode,
    keyColumns: job.keyColumns,
    columns: job.columns,
    incremental: job.incremental && { ...job.incremental, above: watermark },
    personalData: job.personalData,
    masking: { customPatterns: personalPatterns },
  };
}

/** The name of the tables that a take of an execution needs at its destination. */
export const stagingName = ({ stagingId }: Pick<LeftStaging, 'stagingId'>, take: number): string =>
  `svc_staging_${stagingId.replaceAll('-', '')}_${take}`;

/** The names of all takes so far, or of those before the present one. */
export const stagingNames = (execution: Pick<LeftStaging, 'stagingId'>, takes: number): string[] =>
  Array.from({ length: takes }, (_, index) => stagingName(execution, index + 1));
