import type { RequirementEntry } from '../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 7. */
export const errors = [
  {
    id: 'RT-7-01',
    section: '7',
    text: 'An API route without session, key or token answers a 401 problem of type `about:blank`, title `Unauthorized` and status 401.',
  },
  {
    id: 'RT-7-02',
    section: '7',
    text: 'A caller whose role, scope or permission does not allow an action gets a 403 problem.',
  },
  {
    id: 'RT-7-03',
    section: '7',
    text: 'A resource that is missing and one in a project that the caller cannot read answer the same 404 problem, so that existence is not revealed.',
  },
  {
    id: 'RT-7-04',
    section: '7',
    text: "An action on a readable resource that the caller's rights in that project do not include answers a 403 problem.",
  },
  {
    id: 'RT-7-05',
    section: '7',
    text: 'A conflicting change, such as a stale approval hash or a membership race, answers a 409 problem.',
  },
  {
    id: 'RT-7-06',
    section: '7',
    text: 'A change of a locked setting answers a 409 problem of the type `/errors/setting-locked`.',
  },
  {
    id: 'RT-7-07',
    section: '7',
    text: 'Too many sign-ins, setup requests or forced metadata refreshes answer 429.',
  },
  { id: 'RT-7-08', section: '7', text: 'The 429 of the sign-in route carries `Retry-After`.' },
  {
    id: 'RT-7-09',
    section: '7',
    text: 'A health check whose database does not answer in 5 seconds gets a 503 problem.',
  },
  {
    id: 'RT-7-10',
    section: '7',
    text: 'The sample host maps a business-rule exception under `/svc/api` to 400 with the type `/errors/invalid-operation` or `/errors/beacon`.',
  },
  {
    id: 'RT-7-11',
    section: '7',
    text: 'The sample host maps every other exception under `/svc/api` to 500 with the type `/errors/internal`.',
  },
  {
    id: 'RT-7-12',
    section: '7',
    text: 'An embedding host supplies its own mapping from exceptions to answers.',
  },
  {
    id: 'RT-7-13',
    section: '7',
    text: "No answer, stored reason, notice, mail or log line repeats a value of a row from an engine's error.",
  },
  {
    id: 'RT-7-14',
    section: '7',
    text: 'An upload with a content type that the OpenAPI document does not declare answers 415.',
  },
] as const satisfies readonly RequirementEntry[];
