import type { RequirementEntry } from '../../entry.ts';

/** notification delivery and endpoint observability, section 5.4. */
export const destinationPolicy = [
  {
    id: 'DL-5.4-01',
    section: '5.4',
    text: 'The policy on destinations is checked when a recipient is saved and again when the connection is made.',
  },
  { id: 'DL-5.4-02', section: '5.4', text: 'A destination URL that is not HTTPS is refused.' },
  { id: 'DL-5.4-03', section: '5.4', text: 'A destination URL with a user name or password is refused.' },
  {
    id: 'DL-5.4-04',
    section: '5.4',
    text: 'Recipients of vendor channels are accepted only on the webhook hosts that the vendor documents.',
  },
  {
    id: 'DL-5.4-05',
    section: '5.4',
    text: '`Svc:Notifications:AllowedHosts:{Type}` extends the accepted hosts of a vendor channel.',
  },
  {
    id: 'DL-5.4-06',
    section: '5.4',
    text: 'A webhook may use any public HTTPS host while `AllowedHosts:Webhook` is not set.',
  },
  {
    id: 'DL-5.4-07',
    section: '5.4',
    text: '`AllowedHosts:Webhook`, when set, is the whole list of hosts that webhooks may use.',
  },
  {
    id: 'DL-5.4-08',
    section: '5.4',
    text: 'Private, loopback and link-local addresses cannot be reached by deliveries.',
  },
  {
    id: 'DL-5.4-09',
    section: '5.4',
    text: 'Networks listed under `AllowedPrivateNetworks` for `Webhook`, `ChatBlocks`, `ChatCards` or `IssueTracker` can be reached by deliveries of that type.',
  },
  { id: 'DL-5.4-10', section: '5.4', text: 'A delivery connects only to an address that was checked.' },
  {
    id: 'DL-5.4-11',
    section: '5.4',
    text: 'An on-premises issue tracker works only when both its host and its network are allowed.',
  },
  { id: 'DL-5.4-12', section: '5.4', text: 'Email destinations are bare addresses.' },
  { id: 'DL-5.4-13', section: '5.4', text: '`AllowedHosts:Email` limits the domains of email destinations.' },
  { id: 'DL-5.4-14', section: '5.4', text: '`DisabledTypes` turns channels off.' },
  {
    id: 'DL-5.4-15',
    section: '5.4',
    text: 'With `UseSystemProxy`, deliveries go through the system proxy, which then resolves names.',
  },
  {
    id: 'DL-5.4-16',
    section: '5.4',
    text: "The history gives a generic reason for a failed delivery and never the destination's response.",
  },
  { id: 'DL-5.4-17', section: '5.4', text: 'The details of a failed delivery go to the server log.' },
  {
    id: 'DL-5.4-18',
    section: '5.4',
    text: 'Every recipient of a run is tried, and one failure does not stop the others.',
  },
  { id: 'DL-5.4-19', section: '5.4', text: 'A failed delivery is not retried.' },
  {
    id: 'DL-5.4-20',
    section: '5.4',
    text: 'After its recipient was mended, a failed delivery is repeated by Test now or by the next run only.',
  },
] as const satisfies readonly RequirementEntry[];
