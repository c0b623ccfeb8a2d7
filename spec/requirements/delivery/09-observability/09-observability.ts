import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 9. */
export const observability = [
  {
    id: 'DL-9-01',
    section: '9',
    text: 'The job library can observe requests to the HTTP endpoints that it exposes.',
  },
  {
    id: 'DL-9-02',
    section: '9',
    text: "Endpoint observability never observes the host's own controllers, the dashboard, health checks or static files.",
  },
  {
    id: 'DL-9-03',
    section: '9',
    text: 'Endpoint observability is enabled by two steps of the host: registering the recording pipeline with an options callback, and installing the observing middleware after routing.',
  },
  {
    id: 'DL-9-04',
    section: '9',
    text: 'Installing the observing middleware without having registered the recording pipeline is refused.',
  },
  {
    id: 'DL-9-05',
    section: '9',
    text: 'The observing middleware does nothing for a request that is not to an endpoint mapped by the library.',
  },
] as const satisfies readonly RequirementEntry[];
