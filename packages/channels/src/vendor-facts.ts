import type { NotificationType } from './notification-type.ts';

/**
 * What the vendors of the channels document in public, all in this file: host names and names on the wire. A host
 * pattern is a name, or `*.` and a suffix.
 */

/**
 * Hosts of each kind of destination, extended by `AllowedHosts:{Type}`. Undefined: no list of its own (any public
 * host for webhooks, any domain for email). The card vendor's older connector hosts are left out, so they are
 * refused (spec 3 section 2.1).
 */
export const builtInHosts: Readonly<Record<NotificationType, readonly string[] | undefined>> = {
  ChatBlocks: ['hooks.slack.com', 'hooks.slack-gov.com'],
  ChatCards: [
    '*.logic.azure.com',
    '*.logic.azure.us',
    '*.environment.api.powerplatform.com',
    '*.environment.api.gov.powerplatform.microsoft.us',
    '*.webhook.office.com',
  ],
  IssueTracker: ['*.atlassian.net', 'api.atlassian.com'],
  Webhook: undefined,
  Email: undefined,
};

/** Suffix of the card vendor's connector hosts, which answer 200 with an error in the text. */
export const cardConnectorSuffix = '.webhook.office.com';

/** First path segments that the chat vendors' URLs share: the parts that tell one channel from another come after. */
export const knownPathSegments: ReadonlySet<string> = new Set([
  'services',
  'workflows',
  'triggers',
  'webhookb2',
  'powerautomate',
  'automations',
  'direct',
  'manual',
  'paths',
  'invoke',
]);

/** Content type and schema of a card on the wire. */
export const cardWire = {
  contentType: 'application/vnd.microsoft.card.adaptive',
  schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  type: 'AdaptiveCard',
  hostOptions: { msteams: { width: 'Full' } },
} as const;

/** Where the issue tracker's sites and its gateway are. */
export const trackerSiteSuffix = '.atlassian.net';
export const trackerGatewayHost = 'api.atlassian.com';
export const trackerGatewayPath = /^\/ex\/jira\/([A-Za-z0-9-]{1,64})$/;
