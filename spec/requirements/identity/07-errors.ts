import type { RequirementEntry } from '../entry.ts';

/** identity, sign-in and API keys, section 7. */
export const errors = [
  {
    id: 'ID-7-01',
    section: '7',
    text: 'A recognised API key that fails validation answers a 401 problem, Invalid or expired API key.',
  },
  {
    id: 'ID-7-02',
    section: '7',
    text: 'An API key refused by the owner-inactivity rule answers 401 with a message of its own.',
  },
  {
    id: 'ID-7-03',
    section: '7',
    text: 'A key that acts as Read answers 403, This operation requires the Execute scope, on a request that changes state or runs SQL.',
  },
  {
    id: 'ID-7-04',
    section: '7',
    text: 'An API key on a route that needs a role or a functional permission answers 403.',
  },
  {
    id: 'ID-7-05',
    section: '7',
    text: 'Any caller who is not a signed-in browser session gets 403 on the `/svc/api/api-keys` routes.',
  },
  {
    id: 'ID-7-06',
    section: '7',
    text: 'Creating an Execute key without the Editor role or above answers 403.',
  },
  { id: 'ID-7-07', section: '7', text: 'Creating an API key with an unknown scope answers 400.' },
  { id: 'ID-7-08', section: '7', text: 'Creating an API key without any scope answers 400.' },
  {
    id: 'ID-7-09',
    section: '7',
    text: 'Creating an API key with an expiry that is not in the future, or is beyond the maximum, answers 400.',
  },
  { id: 'ID-7-10', section: '7', text: 'Creating an API key without any allowed project answers 400.' },
  {
    id: 'ID-7-11',
    section: '7',
    text: 'Naming a project that the creator cannot read without the Admin bypass answers 404 when an API key is created.',
  },
  {
    id: 'ID-7-12',
    section: '7',
    text: "A session whose user has been demoted or disabled gets 403 on the administrators' key routes.",
  },
  {
    id: 'ID-7-13',
    section: '7',
    text: "A resource of a project that is not in an API key's list, or to which the key's owner lost access, answers 404.",
  },
  {
    id: 'ID-7-14',
    section: '7',
    text: 'A request whose credential does not begin with `Bearer sk-sem_`, by a wrong prefix or a custom header, is treated as unauthenticated.',
  },
  { id: 'ID-7-15', section: '7', text: '`GET /svc/api/csrf` with an Authorization header answers 400.' },
  { id: 'ID-7-16', section: '7', text: 'Too many password sign-in attempts answer 429 with `Retry-After`.' },
  {
    id: 'ID-7-17',
    section: '7',
    text: 'An MCP call with a key that has no usable project says: No projects are available to you.',
  },
  {
    id: 'ID-7-18',
    section: '7',
    text: 'An MCP call that names a project the key cannot use says that access is denied for that project number.',
  },
] as const satisfies readonly RequirementEntry[];
