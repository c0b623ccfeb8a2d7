import { but, row } from '../expectation.ts';
import { everyPerson } from '../presets.ts';

const hubUsers = but(everyPerson, {
  noRole: 403,
  userAdmin: 403,
  securityAdmin: 403,
  dataSourceAdmin: 403,
  auditor: 403,
});
const why =
  'People who read project data, or whose functional pages use hub events: approvals and migrations.';

/** The realtime hub. */
export const hubRows = [
  row('POST /svc/api/hub/negotiate', hubUsers, why),
  row('GET /svc/api/hub', hubUsers, why),
  row('POST /svc/api/hub', hubUsers, why),
  row('DELETE /svc/api/hub', hubUsers, why),
] as const;
