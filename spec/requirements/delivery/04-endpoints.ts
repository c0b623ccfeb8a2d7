import type { RequirementEntry } from '../entry.ts';

/** notification delivery and endpoint observability, section 4. */
export const endpoints = [
  {
    id: 'DL-4-01',
    section: '4',
    text: '`POST /svc/api/recipients` takes the recipient fields and is open to an Admin or a SecurityAdmin.',
  },
  {
    id: 'DL-4-02',
    section: '4',
    text: '`PUT /svc/api/recipients/{id}` takes the recipient fields and is open to an Admin or a SecurityAdmin.',
  },
  {
    id: 'DL-4-03',
    section: '4',
    text: "A change of a recipient's type, destination or headers answers 403 unless the caller can read every subscription that it is attached to.",
  },
  {
    id: 'DL-4-04',
    section: '4',
    text: 'Renaming a recipient is allowed to an Admin or SecurityAdmin whatever it is attached to.',
  },
  {
    id: 'DL-4-05',
    section: '4',
    text: '`DELETE /svc/api/recipients/{id}` is open to an Admin or a SecurityAdmin.',
  },
  {
    id: 'DL-4-06',
    section: '4',
    text: 'The notification history and its details under `/svc/api/notifications` are a paged list, filtered to readable runs.',
  },
  {
    id: 'DL-4-07',
    section: '4',
    text: 'Test now on a subscription needs the scope Execute from an API key.',
  },
  {
    id: 'DL-4-08',
    section: '4',
    text: '`GET {prefix}/api/addons` of the job dashboard reports `endpoints: true` when endpoint observability is active.',
  },
  {
    id: 'DL-4-09',
    section: '4',
    text: '`GET {prefix}/api/endpoints*` serves the dashboard the data of endpoint observability.',
  },
  {
    id: 'DL-4-10',
    section: '4',
    text: 'Anyone with write access to a subscription may attach existing recipients to it.',
  },
  { id: 'DL-4-11', section: '4', text: 'An API key needs the scope Execute to attach a recipient.' },
  {
    id: 'DL-4-12',
    section: '4',
    text: 'Whoever may attach recipients without being Admin or SecurityAdmin never sees their destinations.',
  },
  {
    id: 'DL-4-13',
    section: '4',
    text: 'Admins and SecurityAdmins see the destinations of recipients masked.',
  },
  { id: 'DL-4-14', section: '4', text: 'The UI page of recipients is `/svc/recipients`.' },
  {
    id: 'DL-4-15',
    section: '4',
    text: 'The history page `/svc/notifications` filters by status and is paged by the server with 20 runs per page, at most 200.',
  },
  { id: 'DL-4-16', section: '4', text: 'The UI shows one run of the history at `/svc/notifications/{id}`.' },
  {
    id: 'DL-4-17',
    section: '4',
    text: "A change of a recipient's type, destination or headers answers 403 unless the caller can read every data contract that it is attached to.",
  },
  {
    id: 'DL-4-18',
    section: '4',
    text: 'Anyone with write access to a data contract may attach existing recipients to it.',
  },
] as const satisfies readonly RequirementEntry[];
