import { but, row } from '../expectation.ts';
import { projectReaders, readers } from '../presets.ts';

/** Home and control tower: figures of the readable projects. */
export const overviewRows = [
  row('GET /svc/api/home/trends', readers, 'Figures of the readable projects.'),
  row('GET /svc/api/home/activity', readers, 'Activity in the readable projects.'),
  row('GET /svc/api/home/firing', readers, 'Problems in the readable projects.'),
  row('GET /svc/api/home/kpis', readers, 'Counts of the readable projects.'),
  row('GET /svc/api/home/task-summary', readers, 'Figures of the readable projects.'),
  row('GET /svc/api/home/first-steps', readers, 'Whether there is anything in the readable projects.'),
  row('GET /svc/api/home/uptime', readers, 'Figures of the readable projects.'),
  row(
    'GET /svc/api/home/migration-summary',
    but(readers, { migrationOperator: 'passes' }),
    'The migration summary also admits a MigrationOperator.',
  ),
  row('GET /svc/api/control-tower/statistics', readers, 'Filtered to the projects of the caller.'),
  row('GET /svc/api/control-tower/schedule-load', readers, 'Filtered to the projects of the caller.'),
  row('GET /svc/api/control-tower/health', readers, 'Filtered to the projects of the caller.'),
  row(
    'GET /svc/api/control-tower/contracts/{id}/detail',
    projectReaders,
    'Readable in the project, else it does not exist.',
  ),
  row(
    'GET /svc/api/control-tower/subscriptions/{id}/detail',
    projectReaders,
    'Readable in the project, else it does not exist.',
  ),
] as const;
