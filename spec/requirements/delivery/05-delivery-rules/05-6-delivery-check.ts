import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 5.6. */
export const deliveryCheck = [
  {
    id: 'DL-5.6-01',
    section: '5.6',
    text: 'The approval check sits in the single send path that every channel uses.',
  },
  {
    id: 'DL-5.6-02',
    section: '5.6',
    text: "The destination and headers that are about to be sent are decrypted, hashed and compared with the recipient's approved hash as read at that moment.",
  },
  {
    id: 'DL-5.6-03',
    section: '5.6',
    text: 'A recipient that was changed or archived after a run loaded it is never sent the unapproved copy.',
  },
  { id: 'DL-5.6-04', section: '5.6', text: 'A recipient that no longer exists receives nothing.' },
  {
    id: 'DL-5.6-05',
    section: '5.6',
    text: 'A send that carries a recipient id gets the approval check.',
  },
  {
    id: 'DL-5.6-06',
    section: '5.6',
    text: 'The approved hash of a recipient is HMAC-SHA256 under a key that is derived from `Svc:EncryptionKey`.',
  },
  {
    id: 'DL-5.6-07',
    section: '5.6',
    text: 'Approved hashes under a key in `Svc:PreviousEncryptionKeys` still match.',
  },
  {
    id: 'DL-5.6-08',
    section: '5.6',
    text: 'The re-encryption run recomputes the approved hashes of governed recipients and of pending requests under the current key.',
  },
  {
    id: 'DL-5.6-09',
    section: '5.6',
    text: 'An approved hash that cannot be recomputed is reported as an unresolved key dependency.',
  },
  {
    id: 'DL-5.6-10',
    section: '5.6',
    text: 'An unresolved key dependency is resolved by deciding the pending change, or by saving the recipient back, before the run is repeated and the previous key removed.',
  },
  { id: 'DL-5.6-11', section: '5.6', text: 'A send without a recipient id gets no approval check.' },
] as const satisfies readonly RequirementEntry[];
