import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 3.2. */
export const apiKeyStates = [
  {
    id: 'ID-3.2-01',
    section: '3.2',
    text: 'An API key is inactive when it is revoked or expired, or when its owner is disabled, archived or inactive.',
  },
  { id: 'ID-3.2-02', section: '3.2', text: 'An owner can revoke an API key of their own.' },
  { id: 'ID-3.2-03', section: '3.2', text: 'A revoked API key is refused from the next request on.' },
  {
    id: 'ID-3.2-04',
    section: '3.2',
    text: "Revoking one's own API key records the event `keys.api_key_revoked`.",
  },
  {
    id: 'ID-3.2-05',
    section: '3.2',
    text: "An Admin or a UserAdmin can revoke another user's API key through `DELETE /svc/api/api-keys/admin/{id}`.",
  },
  {
    id: 'ID-3.2-06',
    section: '3.2',
    text: "Revoking an API key through the administrators' route records the event `keys.api_key_revoked_by_administrator`.",
  },
  {
    id: 'ID-3.2-07',
    section: '3.2',
    text: 'An API key stops working at its expiry instant and then fails exactly as a revoked one does.',
  },
  {
    id: 'ID-3.2-08',
    section: '3.2',
    text: "Disabling a user, by the toggle or by saving the user as disabled, revokes all of the user's API keys in the same save.",
  },
  {
    id: 'ID-3.2-09',
    section: '3.2',
    text: "Every later save of a user as disabled again revokes all of that user's API keys.",
  },
  { id: 'ID-3.2-10', section: '3.2', text: "Disabling a user advances the user's API-key generation." },
  {
    id: 'ID-3.2-11',
    section: '3.2',
    text: "Archiving a user revokes all of the user's API keys in the same save and advances the key generation.",
  },
  {
    id: 'ID-3.2-12',
    section: '3.2',
    text: 'Re-enabling a user revokes every API key of the user that is still active, so that new keys must be issued.',
  },
  { id: 'ID-3.2-13', section: '3.2', text: "Re-enabling a user advances the user's API-key generation." },
  {
    id: 'ID-3.2-14',
    section: '3.2',
    text: 'With `MaxOwnerInactivityDays` above 0, an API key becomes inactive, without being revoked, once its owner has not signed in for that many days.',
  },
  {
    id: 'ID-3.2-15',
    section: '3.2',
    text: "An API key that was inactive because of its owner's inactivity works again after the owner signs in with their own identity.",
  },
  {
    id: 'ID-3.2-16',
    section: '3.2',
    text: 'An Execute key whose owner loses write permission stays active and acts as a Read key.',
  },
  {
    id: 'ID-3.2-17',
    section: '3.2',
    text: "The first time in a process that an Execute key is lowered to Read because of its owner, a warning naming the key's id is logged, and only once.",
  },
  {
    id: 'ID-3.2-18',
    section: '3.2',
    text: 'An Execute key that was lowered to Read acts as Execute again once its owner may write again.',
  },
  { id: 'ID-3.2-19', section: '3.2', text: 'No route makes a revoked or expired API key active again.' },
  {
    id: 'ID-3.2-20',
    section: '3.2',
    text: 'API keys are rotated by creating a new key and revoking the old one.',
  },
] as const satisfies readonly RequirementEntry[];
