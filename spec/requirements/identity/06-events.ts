import type { RequirementEntry } from '../entry.ts';

/** identity, sign-in and API keys, section 6. */
export const events = [
  { id: 'ID-6-01', section: '6', text: 'An Auditor can read the security audit events.' },
  {
    id: 'ID-6-02',
    section: '6',
    text: 'Creating an API key records `keys.api_key_created` with owner, scopes, projects and expiry, and never the key or its hash.',
  },
  {
    id: 'ID-6-03',
    section: '6',
    text: 'An owner who revokes their own API key causes the audit event `keys.api_key_revoked`.',
  },
  {
    id: 'ID-6-04',
    section: '6',
    text: "An administrator who revokes another user's API key causes the audit event `keys.api_key_revoked_by_administrator`.",
  },
  {
    id: 'ID-6-05',
    section: '6',
    text: 'The audit event about disabling, re-enabling or archiving a user carries the number of API keys that were revoked by it.',
  },
  {
    id: 'ID-6-06',
    section: '6',
    text: 'Every other audit event that is recorded while a request used an API key carries `ApiKeyId`, `ActorUserId` naming the owner, and the actor kind `api_key`.',
  },
  {
    id: 'ID-6-07',
    section: '6',
    text: 'The log event `BreakGlassSignIn` has id 7119 and level Warning, and refusals of API keys are logged at Warning with their reason.',
  },
] as const satisfies readonly RequirementEntry[];
