import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 3.2. */
export const recipientApproval = [
  {
    id: 'DL-3.2-01',
    section: '3.2',
    text: 'Recipient changes are governed only while the approval workflow and `CoversRecipientDestinations` are both on, the latter being on by default once the workflow is.',
  },
  {
    id: 'DL-3.2-02',
    section: '3.2',
    text: "Under approval, a save that changes a recipient's type, destination or custom headers makes it await approval and submits a change request whose requester is the saver.",
  },
  { id: 'DL-3.2-03', section: '3.2', text: 'A recipient that awaits approval gets no deliveries.' },
  { id: 'DL-3.2-04', section: '3.2', text: 'Under approval, a newly created recipient awaits approval.' },
  {
    id: 'DL-3.2-05',
    section: '3.2',
    text: "An Approver or Admin other than the requester can approve a recipient's change, and deliveries to it resume.",
  },
  { id: 'DL-3.2-06', section: '3.2', text: "The requester of a recipient's change cannot approve it." },
  {
    id: 'DL-3.2-07',
    section: '3.2',
    text: "Approving a recipient's change whose before and after look the same but whose fingerprints differ needs a comment on how it was checked, and answers 400 without one.",
  },
  {
    id: 'DL-3.2-08',
    section: '3.2',
    text: "Approving a recipient's change answers 409 when the recipient changed again since the reviewer opened the request.",
  },
  {
    id: 'DL-3.2-09',
    section: '3.2',
    text: 'A second person who saves a change of a recipient that already awaits approval gets 409.',
  },
  {
    id: 'DL-3.2-10',
    section: '3.2',
    text: 'When the requester puts back the approved destination, their pending change is withdrawn and the recipient is approved without a decision.',
  },
  {
    id: 'DL-3.2-11',
    section: '3.2',
    text: 'A recipient whose change was rejected stays skipped until it is changed back to its approved destination or saved again.',
  },
  {
    id: 'DL-3.2-12',
    section: '3.2',
    text: 'A save that changes only name, description or body template leaves a recipient approved and submits no request.',
  },
  {
    id: 'DL-3.2-13',
    section: '3.2',
    text: 'Recipients that existed before the approval workflow was turned on are not governed and keep delivering.',
  },
  {
    id: 'DL-3.2-14',
    section: '3.2',
    text: 'Turning the approval workflow or `CoversRecipientDestinations` off lets waiting and rejected recipients deliver as they are.',
  },
  {
    id: 'DL-3.2-15',
    section: '3.2',
    text: 'After the approval workflow was turned off, startup warns with the count of recipients that were waiting or rejected.',
  },
  {
    id: 'DL-3.2-16',
    section: '3.2',
    text: 'Attaching an existing recipient to a subscription is not reviewed.',
  },
  {
    id: 'DL-3.2-250',
    section: '3.2',
    text: 'Attaching an existing recipient to a data contract is not reviewed.',
  },
] as const satisfies readonly RequirementEntry[];
