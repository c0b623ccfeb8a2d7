import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 2.5. */
export const apiKey = [
  {
    id: 'ID-2.5-01',
    section: '2.5',
    text: 'An API key cannot be created without a `name`, which labels it for people.',
  },
  {
    id: 'ID-2.5-02',
    section: '2.5',
    text: 'A request to create an API key needs a non-empty `scopes` array of strings.',
  },
  {
    id: 'ID-2.5-03',
    section: '2.5',
    text: 'The only values that `scopes` accepts in a request to create an API key are `Read` and `Execute`.',
  },
  {
    id: 'ID-2.5-04',
    section: '2.5',
    text: 'A request to create an API key with the retired scope `Admin` is refused with 400.',
  },
  {
    id: 'ID-2.5-05',
    section: '2.5',
    text: 'A request to create an API key needs `allowedProjectIds`, an array of integers.',
  },
  {
    id: 'ID-2.5-06',
    section: '2.5',
    text: 'Creating an API key with an empty `allowedProjectIds` is refused with 400.',
  },
  {
    id: 'ID-2.5-07',
    section: '2.5',
    text: 'Each project named for a new API key must be open, or restricted with the creator among its members, whatever the Admin bypass would allow; otherwise the request answers 404.',
  },
  {
    id: 'ID-2.5-08',
    section: '2.5',
    text: 'The expiry date in a request to create an API key may be left out, and the key then gets the default lifetime.',
  },
  {
    id: 'ID-2.5-09',
    section: '2.5',
    text: 'An expiry date that is not in the future is refused with 400 when an API key is created.',
  },
  {
    id: 'ID-2.5-10',
    section: '2.5',
    text: 'An expiry date beyond the maximum lifetime is refused with 400 when an API key is created.',
  },
  {
    id: 'ID-2.5-11',
    section: '2.5',
    text: 'The answer to a created API key carries the whole key in the string field `plainTextKey`.',
  },
  {
    id: 'ID-2.5-12',
    section: '2.5',
    text: 'The plain text of an API key is given once, at creation, and no later answer contains it.',
  },
  {
    id: 'ID-2.5-13',
    section: '2.5',
    text: 'An API key is the literal prefix `sk-sem_` followed by a random part.',
  },
  {
    id: 'ID-2.5-14',
    section: '2.5',
    text: 'The random part of an API key comes from 32 bytes of a cryptographically secure generator, base64-encoded without the characters `+`, `/` and `=`.',
  },
  { id: 'ID-2.5-15', section: '2.5', text: 'The random part of an API key is at most 43 characters long.' },
  {
    id: 'ID-2.5-16',
    section: '2.5',
    text: 'An API key is stored only as its SHA-256 hash, never as the key itself.',
  },
  {
    id: 'ID-2.5-17',
    section: '2.5',
    text: 'The service stores the first 16 characters of each API key as a display prefix that plays no part in validation.',
  },
  {
    id: 'ID-2.5-18',
    section: '2.5',
    text: "For each API key the service stores its owner, scopes, allowed projects, creation time, last-used time, expiry, revocation flag and the owner's key generation at creation.",
  },
  {
    id: 'ID-2.5-19',
    section: '2.5',
    text: 'The list of API keys shows for each key its name, prefix, scopes, projects, creation time, last use, expiry and status.',
  },
  {
    id: 'ID-2.5-20',
    section: '2.5',
    text: 'The project list of an API key that predates mandatory project lists is shown as empty.',
  },
  {
    id: 'ID-2.5-21',
    section: '2.5',
    text: 'An API key that was never used is shown with `Never` as its last use.',
  },
  {
    id: 'ID-2.5-22',
    section: '2.5',
    text: 'The expiry of an API key is shown as a date, as `Never` for keys that predate mandatory expiry, or as expired.',
  },
  {
    id: 'ID-2.5-23',
    section: '2.5',
    text: "The status of an API key in its owner's list is `Active` or `Inactive`.",
  },
  {
    id: 'ID-2.5-24',
    section: '2.5',
    text: "The administrators' list of API keys shows revoked keys with the status `Revoked`.",
  },
  {
    id: 'ID-2.5-25',
    section: '2.5',
    text: "The administrators' list of API keys adds the owner of each key.",
  },
  {
    id: 'ID-2.5-26',
    section: '2.5',
    text: "The administrators' list of API keys adds a boolean `canRevoke` to each key.",
  },
  {
    id: 'ID-2.5-27',
    section: '2.5',
    text: 'The field of the key dialog for the expiry is labelled "Expiration date".',
  },
  {
    id: 'ID-2.5-28',
    section: '2.5',
    text: 'The random part of an API key is at most 43 characters long, and its length varies slightly.',
  },
] as const satisfies readonly RequirementEntry[];
