import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 9.1. */
export const options = [
  {
    id: 'DL-9.1-01',
    section: '9.1',
    text: '`CaptureRequestBodies`, `CaptureResponseBodies` and `CaptureHeaders` each take `None`, `OnFailure` or `Always`, and default to `OnFailure`.',
  },
  {
    id: 'DL-9.1-02',
    section: '9.1',
    text: '`GroupSelector` turns a request into the name of a caller group, which is a dimension of the metrics.',
  },
  {
    id: 'DL-9.1-03',
    section: '9.1',
    text: '`Enrich` adds free tags to the record of a request, which are no dimension of the metrics.',
  },
  {
    id: 'DL-9.1-04',
    section: '9.1',
    text: '`RedactedHeaders` lists the headers whose values are stored as `***`, by default Authorization, Proxy-Authorization, Cookie, Set-Cookie and X-Api-Key.',
  },
  { id: 'DL-9.1-05', section: '9.1', text: '`RedactedHeaders` can be added to, removed from and cleared.' },
  {
    id: 'DL-9.1-06',
    section: '9.1',
    text: '`MaxCapturedBodySize` is 8 KB by default, and larger bodies are truncated in the record.',
  },
  {
    id: 'DL-9.1-07',
    section: '9.1',
    text: 'A client gets the full response whatever `MaxCapturedBodySize` cuts from the record.',
  },
  {
    id: 'DL-9.1-08',
    section: '9.1',
    text: '`MaxCapturedHeaderSize` is 4 KB by default, and longer headers are truncated in the record.',
  },
  {
    id: 'DL-9.1-09',
    section: '9.1',
    text: '`RecordCalls` decides which calls get a row, with the values `All`, the default, and `FailuresOnly`.',
  },
  {
    id: 'DL-9.1-10',
    section: '9.1',
    text: '`SampleRate` is the fraction, from 0.0 to 1.0 and by default 1.0, of successful calls that keep a row, while failures always keep theirs.',
  },
  {
    id: 'DL-9.1-11',
    section: '9.1',
    text: '`ForceCapture` is evaluated when a request starts, and a true answer captures it in full and writes its row past `SampleRate` and `RecordCalls`.',
  },
  {
    id: 'DL-9.1-12',
    section: '9.1',
    text: 'With `UseForwardedForIp` the first forwarded-for hop is recorded as the remote IP.',
  },
  {
    id: 'DL-9.1-13',
    section: '9.1',
    text: '`Sink` says where the detail goes, with the values `Database`, the default, `Otel` and `Both`.',
  },
  {
    id: 'DL-9.1-14',
    section: '9.1',
    text: '`ApplicationName` is optional and enables provenance of several applications.',
  },
  {
    id: 'DL-9.1-15',
    section: '9.1',
    text: '`CallLogBufferCapacity` bounds the buffer in memory, by default to 10,000 records.',
  },
  {
    id: 'DL-9.1-16',
    section: '9.1',
    text: '`CallLogFlushBatchSize` bounds the records of one flush, by default to 500.',
  },
  {
    id: 'DL-9.1-17',
    section: '9.1',
    text: '`EndpointCallLogRetention` caps the age of rows, by default at 7 days, and the middleware stamps the time at which a row expires.',
  },
  {
    id: 'DL-9.1-18',
    section: '9.1',
    text: '`EndpointCallLogRetentionCount` keeps at most so many rows per endpoint, deleting the oldest, and is off by default.',
  },
] as const satisfies readonly RequirementEntry[];
