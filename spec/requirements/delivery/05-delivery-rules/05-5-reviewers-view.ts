import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 5.5. */
export const reviewersView = [
  {
    id: 'DL-5.5-01',
    section: '5.5',
    text: 'A change request of a recipient shows the type before and after.',
  },
  {
    id: 'DL-5.5-02',
    section: '5.5',
    text: 'A change request shows of a webhook destination the scheme, host and port, with each path segment masked.',
  },
  {
    id: 'DL-5.5-03',
    section: '5.5',
    text: 'A change request masks user info, query values and fragment of a webhook destination.',
  },
  {
    id: 'DL-5.5-04',
    section: '5.5',
    text: "A change request shows of a vendor channel's destination only the parts that the vendor documents as not secret.",
  },
  { id: 'DL-5.5-05', section: '5.5', text: 'A change request shows an email destination as it is.' },
  {
    id: 'DL-5.5-06',
    section: '5.5',
    text: 'A change request shows of an issue-tracker destination the site, project and email.',
  },
  {
    id: 'DL-5.5-07',
    section: '5.5',
    text: 'A change request shows the names of custom headers, each with a fingerprint of its value of 12 hexadecimal characters.',
  },
  {
    id: 'DL-5.5-08',
    section: '5.5',
    text: 'A change request shows a fingerprint of the whole definition, which is type, destination and headers.',
  },
  {
    id: 'DL-5.5-09',
    section: '5.5',
    text: 'A fingerprint is an HMAC under a key that is derived from `Svc:EncryptionKey`.',
  },
  {
    id: 'DL-5.5-10',
    section: '5.5',
    text: 'Change requests of recipients are visible to Approvers and Admins only.',
  },
] as const satisfies readonly RequirementEntry[];
