import type { RequirementEntry } from '../../entry.ts';

/** Versions of queries that wait for approval, and plans whose revision an Approver requested. */
export const approvals = [
  {
    id: 'RT-4.3-1401',
    section: '4.3',
    text: '`POST /svc/api/queries/{id}/versions/{versionId}/withdraw` withdraws the caller’s own version that waits for approval.',
  },
  {
    id: 'RT-4.3-1402',
    section: '4.3',
    text: '`POST /svc/api/queries/{id}/versions/{versionId}/withdraw` answers 403 to a caller who did not request the approval.',
  },
  {
    id: 'RT-4.3-1403',
    section: '4.3',
    text: 'The query editor opens the version of its author that waits for approval and shows “Waiting for approval” in place of “Saved”.',
  },
  {
    id: 'RT-4.3-1404',
    section: '4.3',
    text: 'The query editor asks its user before a save withdraws a version of this user that waits for approval.',
  },
  {
    id: 'RT-4.3-1405',
    section: '4.3',
    text: 'The query editor shows a version of another user that waits for approval, with a link to it, before the first key press.',
  },
  {
    id: 'RT-4.3-1406',
    section: '4.3',
    text: 'An Approver who requested a revision of a plan of an AI actor may decide on the next version of the plan.',
  },
  {
    id: 'RT-4.3-1407',
    section: '4.3',
    text: 'The page of a query has one button with which the author of a waiting version withdraws it.',
  },
] as const satisfies readonly RequirementEntry[];
