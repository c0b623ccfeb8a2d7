import type { MigrationPreview, MigrationPreviewInput } from '@svc/contract';
import type { CopyData } from '../../../gateways/copy-data/index.ts';
import { badRequest, notFound } from '../../../platform/http/index.ts';
import { copyDefinitionOf } from '../copy-request.ts';
import { definitionOf } from '../definition.ts';
import { presentInspection } from '../present.ts';
import { readSources } from '../store.ts';
import { openSource, previewTimeoutMs } from './open-source.ts';
import type { MigrationPreviewsDeps } from './service.ts';

/** Columns of both sides and the issues of a copy. */
export type Inspected = Omit<MigrationPreview, 'rows'>;

const assertWritable = async ({ database, copyData }: MigrationPreviewsDeps, id: number): Promise<void> => {
  const [destination] = await readSources(database, [id]);
  if (!destination) throw notFound();
  if (copyData.canWrite(destination.engine)) return;
  throw badRequest('destination-not-writable', `${destination.engine} can only be read.`, [
    { path: '/destinationDataSourceId', message: 'cannot be written to' },
  ]);
};

const inspectSource = async (
  deps: MigrationPreviewsDeps,
  input: MigrationPreviewInput,
  signal: AbortSignal,
): Promise<Inspected> => {
  const columns = await deps.copyData.inspectSource(
    {
      source: input.source as Parameters<CopyData['inspectSource']>[0]['source'],
      dataSource: await openSource(deps, input.dataSourceId),
      personalData: input.personalData ?? 'Refuse',
      masking: { customPatterns: deps.personalPatterns },
    },
    { signal, timeoutMs: previewTimeoutMs },
  );
  return { sourceColumns: [...columns], destinationColumns: null, validation: null };
};

/** Compares the columns of both sides. Without a destination, returns the columns of the source. */
export const inspectSides = async (
  deps: MigrationPreviewsDeps,
  { destinationDataSourceId, destination, ...input }: MigrationPreviewInput,
  signal: AbortSignal,
): Promise<Inspected> => {
  if (destinationDataSourceId === undefined || destination === undefined) {
    return inspectSource(deps, input, signal);
  }
  await assertWritable(deps, destinationDataSourceId);
  const { withRows: _withRows, ...rest } = input;
  const job = definitionOf({
    ...rest,
    destinationDataSourceId,
    destination,
    name: 'preview',
    mode: input.mode ?? 'Insert',
  });
  const definition = await copyDefinitionOf(deps.database, deps, job, null);
  const inspection = await deps.copyData.inspect(definition, { signal, timeoutMs: previewTimeoutMs });
  return {
    sourceColumns: [...inspection.sourceColumns],
    destinationColumns:
      inspection.destinationColumns?.map(({ name, databaseType, isNullable, isGenerated }) => ({
        name,
        isNullable,
        isGenerated,
        type: databaseType,
      })) ?? null,
    validation: presentInspection(inspection),
  };
};
