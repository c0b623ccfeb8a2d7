import type { RequirementEntry } from '../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 2. */
export const shapes = [
  {
    id: 'RT-2-01',
    section: '2',
    text: 'A paged list is an object with the array `items` and the integers `totalCount` and `pageCount`.',
  },
  {
    id: 'RT-2-02',
    section: '2',
    text: 'A problem answer has the media type `application/problem+json` and holds the strings `type` and `title` and the integer `status`.',
  },
  { id: 'RT-2-03', section: '2', text: 'The problem of an unauthorised request has the type `about:blank`.' },
  {
    id: 'RT-2-04',
    section: '2',
    text: 'A healthy service answers its health check with `status` set to `ok`.',
  },
  {
    id: 'RT-2-05',
    section: '2',
    text: 'The permissions answer holds `canRead`, `canWrite`, `isAdmin`, `permissions` and `migrationsEnabled`.',
  },
  {
    id: 'RT-2-06',
    section: '2',
    text: 'The payloads of hub events have the fields that are listed with the events.',
  },
  {
    id: 'RT-2-07',
    section: '2',
    text: 'The REST API manages projects with their data sources, members, access mode, repositories, documentation, imported documents and MCP context.',
  },
  {
    id: 'RT-2-08',
    section: '2',
    text: 'The REST API manages data sources with their connection test, metadata, relationships and schema health.',
  },
  { id: 'RT-2-09', section: '2', text: 'The REST API manages the publishing of queries as MCP tools.' },
  { id: 'RT-2-420', section: '2', text: 'The REST API manages the folders of queries.' },
  { id: 'RT-2-421', section: '2', text: 'The REST API manages the locks of queries.' },
  {
    id: 'RT-2-10',
    section: '2',
    text: 'The REST API manages subscriptions, recipients, notifications and tasks.',
  },
  {
    id: 'RT-2-11',
    section: '2',
    text: 'The REST API manages data contracts.',
  },
  { id: 'RT-2-250', section: '2', text: 'The REST API manages evaluations of data contracts.' },
  { id: 'RT-2-251', section: '2', text: 'The REST API manages approvals.' },
  { id: 'RT-2-12', section: '2', text: 'The REST API manages migration jobs.' },
  {
    id: 'RT-2-13',
    section: '2',
    text: 'The REST API manages AI actors.',
  },
  { id: 'RT-2-480', section: '2', text: 'The REST API manages a glossary.' },
  { id: 'RT-2-481', section: '2', text: 'The REST API manages golden examples.' },
  { id: 'RT-2-482', section: '2', text: 'The REST API manages eval runs.' },
  {
    id: 'RT-2-14',
    section: '2',
    text: "The REST API manages users, users' own settings, admin settings and API keys.",
  },
  {
    id: 'RT-2-201',
    section: '2',
    text: 'The REST API manages the versions and the change history of queries.',
  },
  {
    id: 'RT-2-970',
    section: '2',
    text: 'The OpenAPI document names the schema of every JSON body and of every JSON answer of success under `components.schemas`.',
  },
  {
    id: 'RT-2-971',
    section: '2',
    text: 'The TypeScript client has a method for each operation of the OpenAPI document, and no other.',
  },
  {
    id: 'RT-2-972',
    section: '2',
    text: 'The TypeScript client throws every refusal with its status, its code and what is wrong with which member.',
  },
  {
    id: 'RT-2-973',
    section: '2',
    text: 'The TypeScript client reads a list to its end, page by page, and no further than its caller goes on asking.',
  },
  {
    id: 'RT-2-974',
    section: '2',
    text: 'The TypeScript client sends a read, and a POST that takes an `Idempotency-Key`, again when the connection breaks, so that the work is done once; it sends no other change again.',
  },
  {
    id: 'RT-2-975',
    section: '2',
    text: 'The command line reads a key from its input or from `SVC_KEY`, keeps it in a file that nobody else may read, sends it to no other service than it was given for, and never writes it out.',
  },
  {
    id: 'RT-2-976',
    section: '2',
    text: 'Commands end with 0 when they are done, 1 when they fail, 2 for a line that is not understood, 4 when something awaits approval, 5 when it is not allowed and 6 when it takes longer than was waited for.',
  },
  {
    id: 'RT-2-977',
    section: '2',
    text: 'No control character of a text from the service reaches the output of the command line, in none of its formats.',
  },
  {
    id: 'RT-2-978',
    section: '2',
    text: 'The command line lists, shows and runs what its key may, as a table, JSON, CSV or YAML, and tells progress on its error stream alone.',
  },
  {
    id: 'RT-2-980',
    section: '2',
    text: 'Answers of `/svc/api` carry `Cache-Control: no-store`, whether they succeed or refuse.',
  },
  {
    id: 'RT-2-981',
    section: '2',
    text: 'A POST that creates something or test-runs a subscription does its work once for an `Idempotency-Key`: the same request of the same caller gets the first answer again, status and body, with `Idempotency-Replayed: true`.',
  },
  {
    id: 'RT-2-982',
    section: '2',
    text: 'Equal requests with one `Idempotency-Key` that arrive at once make one record, in whichever replica they arrive.',
  },
  {
    id: 'RT-2-983',
    section: '2',
    text: 'An `Idempotency-Key` that is sent again with another address or body is refused with 422.',
  },
  {
    id: 'RT-2-984',
    section: '2',
    text: 'An `Idempotency-Key` whose request has no answer yet is refused with 409 and `Retry-After`.',
  },
  {
    id: 'RT-2-985',
    section: '2',
    text: 'A request with an `Idempotency-Key` that was cut short is never done again under that key: it is refused with 409, which says so.',
  },
  { id: 'RT-2-986', section: '2', text: 'A request that is refused frees its `Idempotency-Key`.' },
  {
    id: 'RT-2-987',
    section: '2',
    text: 'Each caller has keys of their own, and an API key others than its owner.',
  },
  {
    id: 'RT-2-988',
    section: '2',
    text: 'An `Idempotency-Key` counts for 24 hours, and what it stands for is removed after that.',
  },
  {
    id: 'RT-2-989',
    section: '2',
    text: 'What is kept of a request with an `Idempotency-Key` and of its answer is encrypted.',
  },
  {
    id: 'RT-2-990',
    section: '2',
    text: 'An answer that tells a secret once is not kept: such an endpoint passes over `Idempotency-Key`.',
  },
  {
    id: 'RT-2-991',
    section: '2',
    text: 'An `Idempotency-Key` of other than 1 to 255 visible ASCII characters is refused with 400.',
  },
  {
    id: 'RT-2-992',
    section: '2',
    text: 'The OpenAPI document names `Idempotency-Key` at the operations that take it.',
  },
  {
    id: 'RT-2-1040',
    section: '2',
    text: 'The OpenAPI document names, at each status that an operation answers, the headers of that answer, but those of HTTP itself and those that protect browsers.',
  },
] as const satisfies readonly RequirementEntry[];
