import { apiKeys } from './gaps/api-keys.ts';
import { approvals } from './gaps/approvals.ts';
import { attachments } from './gaps/attachments.ts';
import { audit } from './gaps/audit.ts';
import { bearerTokens } from './gaps/bearer-tokens.ts';
import { bodyTemplates } from './gaps/body-templates.ts';
import { breakGlass } from './gaps/break-glass.ts';
import { channels } from './gaps/channels.ts';
import { dataSources } from './gaps/data-sources.ts';
import { defects } from './gaps/defects.ts';
import { destinationPolicy } from './gaps/destination-policy.ts';
import { endpointObservability } from './gaps/endpoint-observability.ts';
import { hostOwnedSignIn } from './gaps/host-owned-sign-in.ts';
import { hub } from './gaps/hub.ts';
import { mcp } from './gaps/mcp.ts';
import { oidc } from './gaps/oidc.ts';
import { projects } from './gaps/projects.ts';
import { queries } from './gaps/queries.ts';
import { recipientApproval } from './gaps/recipient-approval.ts';
import { recipients } from './gaps/recipients.ts';
import { restConventions } from './gaps/rest-conventions.ts';
import { restGroups } from './gaps/rest-groups.ts';
import { runs } from './gaps/runs.ts';
import { sampleHost } from './gaps/sample-host.ts';
import { scopes } from './gaps/scopes.ts';
import { signIn } from './gaps/sign-in.ts';
import { subscriptions } from './gaps/subscriptions.ts';
import { webUi } from './gaps/web-ui.ts';
import { webhookBody } from './gaps/webhook-body.ts';
import type { RequirementId } from './requirements/index.ts';

/**
 * Requirements that no scenario verifies yet, by the subject that builds them. The list only shrinks: whoever writes
 * the scenario takes the id off, and the coverage check refuses an id that is both cited and listed.
 * `defects` holds what has a scenario, but the service does not yet do as the requirement says.
 */
export const knownGaps: Readonly<Record<string, readonly RequirementId[]>> = {
  'api-keys': apiKeys,
  approvals,
  attachments,
  audit,
  'bearer-tokens': bearerTokens,
  'body-templates': bodyTemplates,
  'break-glass': breakGlass,
  channels,
  'data-sources': dataSources,
  defects,
  'destination-policy': destinationPolicy,
  'endpoint-observability': endpointObservability,
  'host-owned-sign-in': hostOwnedSignIn,
  hub,
  mcp,
  oidc,
  projects,
  queries,
  'recipient-approval': recipientApproval,
  recipients,
  'rest-conventions': restConventions,
  'rest-groups': restGroups,
  runs,
  'sample-host': sampleHost,
  scopes,
  'sign-in': signIn,
  subscriptions,
  'web-ui': webUi,
  'webhook-body': webhookBody,
};
