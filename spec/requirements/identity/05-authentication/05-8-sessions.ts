import type { RequirementEntry } from '../../entry.ts';

/** identity, sign-in and API keys, section 5.8. */
export const sessions = [
  {
    id: 'ID-5.8-01',
    section: '5.8',
    text: 'The session cookie is named `Svc.Auth` and is HttpOnly and SameSite=Lax.',
  },
  { id: 'ID-5.8-02', section: '5.8', text: 'The session cookie is Secure when the request came over HTTPS.' },
  {
    id: 'ID-5.8-03',
    section: '5.8',
    text: 'Every `RevalidateMinutes` a session is checked against the user store for an enabled, unarchived user with an unchanged security stamp.',
  },
  { id: 'ID-5.8-04', section: '5.8', text: "The revalidation of a session reloads the user's roles." },
  {
    id: 'ID-5.8-05',
    section: '5.8',
    text: 'A session ends `AbsoluteLifetimeHours` after its sign-in, however often it was renewed.',
  },
  {
    id: 'ID-5.8-06',
    section: '5.8',
    text: 'Remember-me does not extend the absolute lifetime of a session.',
  },
  {
    id: 'ID-5.8-07',
    section: '5.8',
    text: "Changing a user's roles, password or enabled state, or archiving the user, renews the user's security stamp and ends all of their sessions.",
  },
  {
    id: 'ID-5.8-08',
    section: '5.8',
    text: "A cookie session's state-changing request is refused without a valid `X-XSRF-TOKEN` header.",
  },
] as const satisfies readonly RequirementEntry[];
