import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 5.6. */
export const apiKeys = [
  {
    id: 'ID-5.6-01',
    section: '5.6',
    text: '`Authorization: Bearer sk-sem_<key>` is the only form in which an API key is accepted.',
  },
  { id: 'ID-5.6-02', section: '5.6', text: 'An API key in a header `X-Api-Key` authenticates nobody.' },
  {
    id: 'ID-5.6-03',
    section: '5.6',
    text: 'Key processing starts only when the Authorization header begins with `Bearer sk-sem_`, compared without regard to case.',
  },
  {
    id: 'ID-5.6-04',
    section: '5.6',
    text: 'An Authorization header that does not begin with `Bearer sk-sem_` is left to JWT and cookie authentication.',
  },
  {
    id: 'ID-5.6-05',
    section: '5.6',
    text: 'A request that another scheme has already authenticated skips key processing.',
  },
  {
    id: 'ID-5.6-06',
    section: '5.6',
    text: 'A presented API key is hashed with SHA-256 and looked up by the stored hash.',
  },
  { id: 'ID-5.6-07', section: '5.6', text: 'A revoked API key is rejected.' },
  { id: 'ID-5.6-08', section: '5.6', text: 'An API key whose expiry instant is reached is rejected.' },
  {
    id: 'ID-5.6-09',
    section: '5.6',
    text: 'An API key is rejected when its owner is missing, archived or disabled.',
  },
  {
    id: 'ID-5.6-10',
    section: '5.6',
    text: 'An API key is rejected when its owner is on a later API-key generation.',
  },
  {
    id: 'ID-5.6-11',
    section: '5.6',
    text: 'An API key whose stored scopes hold no valid scope is rejected.',
  },
  {
    id: 'ID-5.6-12',
    section: '5.6',
    text: 'All rejections of a recognised API key give the same 401 problem, Invalid or expired API key.',
  },
  {
    id: 'ID-5.6-13',
    section: '5.6',
    text: "A rejected API key is logged at Warning with the key's id and one of the reasons `revoked`, `expired`, `owner_disabled`, `owner_archived`, `owner_missing`, `owner_generation_changed` and `no valid scopes`.",
  },
  { id: 'ID-5.6-14', section: '5.6', text: 'Neither an API key nor its hash is ever logged.' },
  { id: 'ID-5.6-15', section: '5.6', text: 'A successful use of an API key updates its last-used time.' },
  {
    id: 'ID-5.6-16',
    section: '5.6',
    text: "The identity of a request with an API key is built from the key's scopes, project restrictions and owner.",
  },
  {
    id: 'ID-5.6-17',
    section: '5.6',
    text: 'Only the scopes `Read` and `Execute` of a stored key count, and a stored retired `Admin` scope acts as `Execute`.',
  },
  { id: 'ID-5.6-18', section: '5.6', text: 'An API key without a requested expiry lives 90 days.' },
  {
    id: 'ID-5.6-19',
    section: '5.6',
    text: 'No API key can be created to live longer than `MaxLifetimeDays`, 365 by default.',
  },
  {
    id: 'ID-5.6-20',
    section: '5.6',
    text: 'When `MaxLifetimeDays` is lower than 90 it is also the default lifetime of API keys.',
  },
  {
    id: 'ID-5.6-21',
    section: '5.6',
    text: 'A requested key expiry that is not in the future or lies beyond the maximum answers 400.',
  },
  {
    id: 'ID-5.6-22',
    section: '5.6',
    text: 'An API key without expiry, from before expiry was mandatory, works until it is revoked.',
  },
  {
    id: 'ID-5.6-23',
    section: '5.6',
    text: "The first use after a restart of an API key without expiry logs a warning with the key's id.",
  },
  {
    id: 'ID-5.6-24',
    section: '5.6',
    text: 'With `MaxOwnerInactivityDays` above 0, an API key stops working once its owner has not signed in with their own identity for that many days.',
  },
  {
    id: 'ID-5.6-25',
    section: '5.6',
    text: 'For a key owner who never signed in, days of inactivity count from the creation of the account.',
  },
  {
    id: 'ID-5.6-26',
    section: '5.6',
    text: "Signing in with a password, through SSO, or with an identity provider's token on MCP or REST counts as the key owner's activity.",
  },
  { id: 'ID-5.6-27', section: '5.6', text: 'Using an API key does not count as activity of its owner.' },
  {
    id: 'ID-5.6-28',
    section: '5.6',
    text: "An API key refused because of its owner's inactivity gets 401 with a message that names the number of days and says that the key works again after the owner signs in.",
  },
  {
    id: 'ID-5.6-29',
    section: '5.6',
    text: "A refusal because of the key owner's inactivity is logged with the reason `owner_inactive`.",
  },
  {
    id: 'ID-5.6-30',
    section: '5.6',
    text: 'Any signed-in, enabled user with read access can create Read keys.',
  },
  {
    id: 'ID-5.6-31',
    section: '5.6',
    text: 'Any signed-in, enabled user with read access can revoke their own API keys.',
  },
  {
    id: 'ID-5.6-32',
    section: '5.6',
    text: 'Creating an Execute key needs the Editor role or above, or super admin.',
  },
  { id: 'ID-5.6-33', section: '5.6', text: 'A disabled user can create no API key.' },
  {
    id: 'ID-5.6-34',
    section: '5.6',
    text: 'An API key reaches only the projects in its list where its owner still has access.',
  },
  {
    id: 'ID-5.6-35',
    section: '5.6',
    text: "In a project an API key never has more rights than its owner's role there.",
  },
  {
    id: 'ID-5.6-36',
    section: '5.6',
    text: 'An API key whose stored project restriction is malformed reaches no project.',
  },
  {
    id: 'ID-5.6-37',
    section: '5.6',
    text: 'An API key never gets the Admin bypass, even when its owner is an Admin.',
  },
  { id: 'ID-5.6-38', section: '5.6', text: 'An API key never manages the members of a project.' },
  {
    id: 'ID-5.6-39',
    section: '5.6',
    text: "An API key without a project list, from before lists were required, acts with its owner's project access on REST and MCP.",
  },
  {
    id: 'ID-5.6-40',
    section: '5.6',
    text: "The effective rights of an API key are the lower of its scope and its owner's current global role.",
  },
  { id: 'ID-5.6-41', section: '5.6', text: 'A Read key reads, and runs no SQL but saved SQL.' },
  {
    id: 'ID-5.6-42',
    section: '5.6',
    text: 'An API key whose owner may neither read nor write reaches nothing.',
  },
  { id: 'ID-5.6-43', section: '5.6', text: 'An API key carries no role and no functional permission.' },
  {
    id: 'ID-5.6-44',
    section: '5.6',
    text: 'A route that needs the Admin role or a functional permission answers 403 to an API key, with a detail that says keys cannot use administrative routes and names the permission.',
  },
  { id: 'ID-5.6-45', section: '5.6', text: 'A Read key runs saved SQL.' },
] as const satisfies readonly RequirementEntry[];
