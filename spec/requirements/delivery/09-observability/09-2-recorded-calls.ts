import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 9.2. */
export const recordedCalls = [
  {
    id: 'DL-9.2-01',
    section: '9.2',
    text: 'Each observed request writes one `EndpointCallLog` row, subject to `RecordCalls` and `SampleRate`.',
  },
  {
    id: 'DL-9.2-02',
    section: '9.2',
    text: 'A call log row identifies its endpoint by HTTP method and route template and holds the operation name.',
  },
  {
    id: 'DL-9.2-03',
    section: '9.2',
    text: 'Inline constraints are removed from a recorded route template, so that the template is the identity.',
  },
  {
    id: 'DL-9.2-04',
    section: '9.2',
    text: "A call log row holds the remote IP, the user agent and the authenticated user's name.",
  },
  { id: 'DL-9.2-05', section: '9.2', text: 'A call log row holds the duration and the final status code.' },
  {
    id: 'DL-9.2-06',
    section: '9.2',
    text: 'A call log row has the outcome `Failed` when the status is 500 or above or an exception escaped after the response started, and otherwise `Success`.',
  },
  {
    id: 'DL-9.2-07',
    section: '9.2',
    text: 'When an exception escapes before the response starts, recording waits for the completed response, so that the row has the status to which the host mapped the exception.',
  },
  {
    id: 'DL-9.2-08',
    section: '9.2',
    text: "A call whose exception the host mapped to a 4xx status is a client error that stays off the error rate, and its row holds the exception's type and message.",
  },
  {
    id: 'DL-9.2-09',
    section: '9.2',
    text: 'A call whose exception the host mapped to a status is always written, even under `FailuresOnly`, and counts as a failure for `OnFailure` capture.',
  },
  {
    id: 'DL-9.2-10',
    section: '9.2',
    text: 'A call log row holds a trace id built from the 32 hexadecimal digits in the same way as jobs build theirs, so that a request and the jobs that it spawned share a trace and link both ways.',
  },
  { id: 'DL-9.2-11', section: '9.2', text: 'A call log row holds the tags from `Enrich`.' },
  {
    id: 'DL-9.2-12',
    section: '9.2',
    text: 'A call log row holds the headers and bodies that the tiers captured, redacted and truncated.',
  },
  { id: 'DL-9.2-13', section: '9.2', text: 'Captured payloads are never logged at Info or above.' },
  {
    id: 'DL-9.2-14',
    section: '9.2',
    text: 'The documentation treats caller metadata and tags as personal data and says that secrets must not go into tags.',
  },
  {
    id: 'DL-9.2-15',
    section: '9.2',
    text: 'With `ApplicationName` set, each call log row names the producing application in the column `Application`.',
  },
  {
    id: 'DL-9.2-16',
    section: '9.2',
    text: "With `ApplicationName` set, counters are kept per application in key spaces of their own, and the application is part of an endpoint's identity.",
  },
  { id: 'DL-9.2-17', section: '9.2', text: 'The application filter of the dashboard scopes the views.' },
  { id: 'DL-9.2-18', section: '9.2', text: 'Without `ApplicationName` the column `Application` is null.' },
] as const satisfies readonly RequirementEntry[];
