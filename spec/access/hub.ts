import { but, row } from './expectation.ts';
import { everyPerson } from './presets.ts';

/** The realtime hub. */
export const hubRows = [
  row(
    'POST /svc/api/hub/negotiate',
    but(everyPerson, {
      noRole: 403,
      userAdmin: 403,
      securityAdmin: 403,
      dataSourceAdmin: 403,
      auditor: 403,
    }),
    'People who read project data, or whose functional pages use hub events: approvals and migrations.',
  ),
] as const;
