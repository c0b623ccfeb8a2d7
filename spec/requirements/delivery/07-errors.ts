import type { RequirementEntry } from '../entry.ts';

/** notification delivery and endpoint observability, section 7. */
export const errors = [
  {
    id: 'DL-7-01',
    section: '7',
    text: 'Saving a recipient whose destination breaks the policy is refused with a message that names the reason.',
  },
  {
    id: 'DL-7-02',
    section: '7',
    text: 'A destination that is not HTTPS, is no vendor host or has a private address is refused at save with its reason.',
  },
  {
    id: 'DL-7-03',
    section: '7',
    text: 'An email destination with a display name is refused at save with its reason.',
  },
  { id: 'DL-7-04', section: '7', text: 'A disallowed custom header is refused at save with its reason.' },
  {
    id: 'DL-7-05',
    section: '7',
    text: 'Approving a recipient that changed since the reviewer opened it answers 409.',
  },
  {
    id: 'DL-7-06',
    section: '7',
    text: "Changing a recipient while another person's change of it waits answers 409.",
  },
  {
    id: 'DL-7-07',
    section: '7',
    text: 'Approving a change whose sides look equal while the fingerprints differ answers 400 without a comment.',
  },
  {
    id: 'DL-7-08',
    section: '7',
    text: 'A SecurityAdmin who cannot read every attached subscription gets 403 on a change of type, destination or headers.',
  },
  {
    id: 'DL-7-09',
    section: '7',
    text: 'Test now answers 409 with the skip reason when every recipient waits for approval.',
  },
] as const satisfies readonly RequirementEntry[];
