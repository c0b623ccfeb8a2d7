import { row } from './expectation.ts';
import { projectReaders, readers } from './presets.ts';

/** The history of runs; the run of the matrix read only the data source of the restricted project. */
export const notificationRows = [
  row('GET /svc/api/notifications', readers, 'The list holds only visible runs.'),
  row('GET /svc/api/notifications/{id}', projectReaders, 'A hidden run is read as not found.'),
] as const;
