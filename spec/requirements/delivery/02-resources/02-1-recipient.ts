import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 2.1. */
export const recipient = [
  {
    id: 'DL-2.1-01',
    section: '2.1',
    text: 'A recipient has the notification type `Email`, `ChatBlocks`, `ChatCards`, `IssueTracker` or `Webhook`.',
  },
  { id: 'DL-2.1-02', section: '2.1', text: 'A recipient has a name under which it is listed and picked.' },
  {
    id: 'DL-2.1-03',
    section: '2.1',
    text: 'A recipient has a destination whose form depends on its notification type.',
  },
  { id: 'DL-2.1-04', section: '2.1', text: 'A recipient may have a description.' },
  {
    id: 'DL-2.1-05',
    section: '2.1',
    text: 'A webhook recipient, and no other, may have custom headers: a JSON object of header names to string values.',
  },
  {
    id: 'DL-2.1-06',
    section: '2.1',
    text: 'A recipient may have a body template, in the API the field `bodyTemplate`, for the request that it gets.',
  },
  {
    id: 'DL-2.1-07',
    section: '2.1',
    text: 'The destination of an `Email` recipient is a bare address without a display name.',
  },
  {
    id: 'DL-2.1-08',
    section: '2.1',
    text: 'The destination of a `ChatBlocks` recipient is an incoming-webhook URL.',
  },
  {
    id: 'DL-2.1-09',
    section: '2.1',
    text: 'The destination of a `ChatCards` recipient is a workflow webhook URL.',
  },
  {
    id: 'DL-2.1-10',
    section: '2.1',
    text: "Legacy connector URLs on the vendor's connector hosts are accepted as `ChatCards` destinations.",
  },
  {
    id: 'DL-2.1-11',
    section: '2.1',
    text: "The older connector URLs on the vendor's outlook host are refused as `ChatCards` destinations.",
  },
  {
    id: 'DL-2.1-12',
    section: '2.1',
    text: 'The destination of an `IssueTracker` recipient is one string of site, project key, account email and API token, joined by semicolons.',
  },
  {
    id: 'DL-2.1-13',
    section: '2.1',
    text: 'The site part of an `IssueTracker` destination may be a bare site name, a full site URL, or a gateway URL with a cloud id.',
  },
  {
    id: 'DL-2.1-14',
    section: '2.1',
    text: 'The account of an `IssueTracker` destination creates the issues in the named project.',
  },
  { id: 'DL-2.1-15', section: '2.1', text: 'The destination of a `Webhook` recipient is a URL.' },
  {
    id: 'DL-2.1-16',
    section: '2.1',
    text: 'Destinations and header values of recipients are encrypted when they are saved.',
  },
  {
    id: 'DL-2.1-17',
    section: '2.1',
    text: 'Destinations and header values of recipients are shown masked, and the API never returns them in full.',
  },
  {
    id: 'DL-2.1-18',
    section: '2.1',
    text: 'A recipient saved before encryption existed keeps delivering until it is saved again or encrypted by the stored-secret encryption.',
  },
  {
    id: 'DL-2.1-19',
    section: '2.1',
    text: 'With `Svc:Notifications:RequireEncryptedSecrets` set, a recipient whose secrets are stored unencrypted does not deliver.',
  },
  {
    id: 'DL-2.1-20',
    section: '2.1',
    text: 'A recipient whose destination cannot be decrypted is marked Re-enter destination and needs its destination entered again.',
  },
  {
    id: 'DL-2.1-21',
    section: '2.1',
    text: 'There is no test of a single recipient; a delivery is tried through Test now on a subscription.',
  },
  { id: 'DL-2.1-22', section: '2.1', text: 'Recipients belong to no project.' },
  {
    id: 'DL-2.1-1041',
    section: '2.1',
    text: 'Deleting a recipient is refused with 409 while a subscription of a project that is not archived sends to it, and subscriptions of archived projects do not count.',
  },
  {
    id: 'DL-2.1-23',
    section: '2.1',
    text: 'A subscription has the settings Max rows, Show query text in notification, Include results as attachment, and Attachment format with the values CSV and XLSX.',
  },
] as const satisfies readonly RequirementEntry[];
