import type { RequirementEntry } from '../entry.ts';

/** Problems that exist now, and acknowledging them. */
export const firing = [
  {
    id: 'RT-4.3-1001',
    section: '4.3',
    text: '`GET /svc/api/home/firing` lists each firing alert, each failing data contract and each subscription whose last run failed, of what the caller may see.',
  },
  {
    id: 'RT-4.3-1002',
    section: '4.3',
    text: 'An item of `GET /svc/api/home/firing` disappears when its alert clears, its contract passes or its next run succeeds.',
  },
  {
    id: 'RT-4.3-1003',
    section: '4.3',
    text: 'After `POST /svc/api/subscriptions/{id}/alert-acknowledgement` no reminder is sent until the alert clears.',
  },
  {
    id: 'RT-4.3-1004',
    section: '4.3',
    text: 'An acknowledgement stores its user, its time and its note, and the alert shows them.',
  },
  {
    id: 'RT-4.3-1005',
    section: '4.3',
    text: 'A new subscription with the trigger `WhileRows` stores the rows of its runs unless `storeResults` says otherwise.',
  },
] as const satisfies readonly RequirementEntry[];
