import type { RequirementEntry } from '../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 6. */
export const events = [
  { id: 'RT-6-01', section: '6', text: 'The hub sends an event only to the user whom it concerns.' },
  {
    id: 'RT-6-02',
    section: '6',
    text: 'When a background job that a user started changes its state, the hub sends `JobStatusChanged` with `jobId`, `state` and `timestamp`.',
  },
  { id: 'RT-6-03', section: '6', text: '`JobStatusChanged` is published by the job runner of the host.' },
  {
    id: 'RT-6-04',
    section: '6',
    text: 'When a notification is created, the hub sends `NotificationCreated` with `notificationId` and `kind`.',
  },
  {
    id: 'RT-6-05',
    section: '6',
    text: 'When an approval request is approved or rejected, the hub sends `ApprovalUpdated` with `approvalId` and `status`.',
  },
] as const satisfies readonly RequirementEntry[];
