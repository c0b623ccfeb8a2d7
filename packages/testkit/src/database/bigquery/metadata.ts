import { datasets } from './catalogue.ts';
import type { ServiceCall } from './service-call.ts';
import { ServiceError } from './service-error.ts';

const dataset = ([name, location]: (typeof datasets)[number]) => ({
  kind: 'bigquery#dataset',
  id: `svc-tests:${name}`,
  location,
  datasetReference: { projectId: 'svc-tests', datasetId: name },
});

const routines = new Map([
  ['twice', { routineType: 'SCALAR_FUNCTION', language: 'SQL' }],
  [
    'remote',
    {
      routineType: 'SCALAR_FUNCTION',
      remoteFunctionOptions: { endpoint: 'https://f.test/', connection: 'c' },
    },
  ],
  ['snake', { routineType: 'SCALAR_FUNCTION', language: 'PYTHON' }],
]);

/** Answers `datasets.get`. */
export function getDataset(project: string, call: ServiceCall): object {
  const match = datasets.find(([name]) => name === call.names[0]);
  if (!match) throw new ServiceError(404, 'notFound', `Not found: Dataset ${project}:${call.names[0]}`);
  return dataset(match);
}

/** Answers `datasets.list` with one dataset per page, so that clients must follow pages. */
export function listDatasets(call: ServiceCall): object {
  const at = Number(call.query['pageToken'] ?? 0);
  const next = at + 1 < datasets.length ? { nextPageToken: String(at + 1) } : {};
  return { kind: 'bigquery#datasetList', datasets: datasets.slice(at, at + 1).map(dataset), ...next };
}

/** Answers `routines.get`. */
export function getRoutine(
  project: string,
  { names: [datasetId = '', routineId = ''] }: ServiceCall,
): object {
  const routine = routines.get(routineId);
  if (!routine || datasetId !== 'shop') throw new ServiceError(404, 'notFound', 'Not found: Routine');
  return { routineReference: { projectId: project, datasetId, routineId }, ...routine };
}
