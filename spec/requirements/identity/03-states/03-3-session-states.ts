import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 3.3. */
export const sessionStates = [
  { id: 'ID-3.3-01', section: '3.3', text: 'A session ends when its absolute lifetime is reached.' },
  {
    id: 'ID-3.3-02',
    section: '3.3',
    text: "A session ends at its next revalidation after the user's roles, password or enabled state changed or the user was archived.",
  },
  {
    id: 'ID-3.3-03',
    section: '3.3',
    text: '`POST /svc/api/auth/logout?everywhere=true` ends every session of the user who sends it.',
  },
  {
    id: 'ID-3.3-04',
    section: '3.3',
    text: '`POST /svc/api/users/{id}/sign-out-everywhere` by a UserAdmin ends every session of that user.',
  },
  {
    id: 'ID-3.3-05',
    section: '3.3',
    text: 'A realtime connection is closed when the session it belongs to ends.',
  },
] as const satisfies readonly RequirementEntry[];
