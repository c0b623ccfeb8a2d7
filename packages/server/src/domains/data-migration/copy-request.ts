import type { CopyDefinition } from '../../gateways/copy-data/index.ts';
import type { Executor } from '../../platform/db/index.ts';
import { notFound } from '../../platform/http/index.ts';
import { type OpenDataSources, targetOf } from '../data-sources/index.ts';
import type { LeftStaging } from './execution-store.ts';
import type { JobDefinition } from './store.ts';

/** Dependencies that open the source and the destination of a copy. */
export type Opening = {
  readonly openDataSources: OpenDataSources;
  /** Configured patterns for personal data, in addition to the built-in patterns. */
  readonly personalPatterns: readonly string[];
};

/**
 * Converts a job definition to the format of the copy gateway, with both data sources opened.
 *
 * @throws Refusal (404) when a data source is archived, (409) when its connection cannot be decrypted.
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

/** Returns the name of the staging tables that one claim (`take`) of an execution uses at the destination. */
export const stagingName = ({ stagingId }: Pick<LeftStaging, 'stagingId'>, take: number): string =>
  `svc_staging_${stagingId.replaceAll('-', '')}_${take}`;

/** Returns the staging names of the first `takes` claims. */
export const stagingNames = (execution: Pick<LeftStaging, 'stagingId'>, takes: number): string[] =>
  Array.from({ length: takes }, (_, index) => stagingName(execution, index + 1));
