import type { RequirementEntry } from '../../entry.ts';

/** routes, REST conventions, hub, MCP and versioning, section 4.3: own rows of each recipient. */
export const rowRouting = [
  {
    id: 'RT-4.3-800',
    section: '4.3',
    text: 'A subscription with `routing` sends each recipient the rows whose cell in the routing column is one of its values, in a message with their count and no other row.',
  },
  {
    id: 'RT-4.3-801',
    section: '4.3',
    text: 'Rows of a subscription with `routing` that no route names go to its fallback recipient and to nobody else.',
  },
  {
    id: 'RT-4.3-802',
    section: '4.3',
    text: 'Rows that no recipient gets are the `unroutedCount` of the run, and the owner has one notice of them while run after run has some.',
  },
  {
    id: 'RT-4.3-803',
    section: '4.3',
    text: 'A run whose rows are routed to nobody ends `Silenced`.',
  },
  {
    id: 'RT-4.3-804',
    section: '4.3',
    text: 'Rows are routed by their unmasked cells and leave masked.',
  },
  {
    id: 'RT-4.3-805',
    section: '4.3',
    text: '`GET /svc/api/subscriptions/{id}/routes` shows the values of routes to those who may write in the project, and the subscription shows its readers the column and the number of routes.',
  },
  {
    id: 'RT-4.3-806',
    section: '4.3',
    text: 'No table of the service holds a value that rows are routed by.',
  },
  {
    id: 'RT-4.3-807',
    section: '4.3',
    text: 'A subscription with XLSX files and more than 20 routes is refused with 400.',
  },
  {
    id: 'RT-4.3-808',
    section: '4.3',
    text: 'A recipient that a routing names is attached to the subscription, and taking it off is refused with 409.',
  },
  {
    id: 'RT-4.3-809',
    section: '4.3',
    text: 'A run of a subscription with `routing` that is taken up again after its messages were frozen sends each recipient the rows that were its own.',
  },
  {
    id: 'RT-4.3-810',
    section: '4.3',
    text: '`POST /svc/api/subscriptions/{id}/message-preview` with `recipientId` shows the message of that recipient.',
  },
] as const satisfies readonly RequirementEntry[];
