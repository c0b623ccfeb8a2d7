import type { RequirementEntry } from '../entry.ts';

/** notification delivery and endpoint observability, section 6. */
export const events = [
  {
    id: 'DL-6-01',
    section: '6',
    text: 'The hub event `NotificationCreated` goes only to the current user over `/svc/api/hub`, beside `JobStatusChanged` and `ApprovalUpdated`.',
  },
  {
    id: 'DL-6-02',
    section: '6',
    text: 'The hub event `NotificationCreated` carries `notificationId` and `kind`.',
  },
  { id: 'DL-6-03', section: '6', text: 'Each delivery to a webhook recipient is one outbound HTTPS POST.' },
  {
    id: 'DL-6-04',
    section: '6',
    text: 'Warnings about skipped recipients and skipped runs are logged with ids only.',
  },
  {
    id: 'DL-6-866',
    section: '6',
    text: 'The programs of the guide verify the signature of a delivery as it arrives, and refuse a changed one.',
  },
] as const satisfies readonly RequirementEntry[];
