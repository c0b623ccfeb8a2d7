import type { NotificationType } from '@svc/contract';

/**
 * Public facts about the vendors of the channels, all in this file: host names and wire names. A host pattern is a
 * name, or `*.` and a suffix.
 */

/**
 * Hosts of each kind of destination, extended by `AllowedHosts:{Type}`. Undefined: no built-in list (any public host
 * for webhooks, any domain for email). The card vendor's older connector hosts are not listed, so they are refused
 * (spec 3 section 2.1).
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

/** First path segments that all URLs of a chat vendor share. The segments after them identify the channel. */
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

/** Hosts of the issue tracker's sites and of its gateway. */
export const trackerSiteSuffix = '.atlassian.net';
export const trackerGatewayHost = 'api.atlassian.com';
export const trackerGatewayPath = /^\/ex\/jira\/([A-Za-z0-9-]{1,64})$/;
