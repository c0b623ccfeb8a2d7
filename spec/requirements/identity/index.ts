import { naming } from './00-naming.ts';
import { callers } from './01-callers.ts';
import { setupRequest } from './02-resources/02-1-setup-request.ts';
import { loginRequest } from './02-resources/02-2-login-request.ts';
import { antiforgeryToken } from './02-resources/02-3-antiforgery-token.ts';
import { projectCreation } from './02-resources/02-4-project-creation.ts';
import { apiKey } from './02-resources/02-5-api-key.ts';
import { settings } from './02-resources/02-6-settings.ts';
import { firstRunSetupStates } from './03-states/03-1-first-run-setup-states.ts';
import { apiKeyStates } from './03-states/03-2-api-key-states.ts';
import { sessionStates } from './03-states/03-3-session-states.ts';
import { endpoints } from './04-endpoints.ts';
import { firstRunSetup } from './05-authentication/05-1-first-run-setup.ts';
import { passwords } from './05-authentication/05-2-passwords.ts';
import { localLoginOff } from './05-authentication/05-3-local-login-off.ts';
import { oidc } from './05-authentication/05-4-oidc.ts';
import { bearerJwt } from './05-authentication/05-5-bearer-jwt.ts';
import { apiKeys } from './05-authentication/05-6-api-keys.ts';
import { scopes } from './05-authentication/05-7-scopes.ts';
import { sessions } from './05-authentication/05-8-sessions.ts';
import { hostOwnedSignIn } from './05-authentication/05-9-host-owned-sign-in.ts';
import { events } from './06-events.ts';
import { errors } from './07-errors.ts';
import { limits } from './08-limits.ts';

/** Every requirement of the document about identity, sign-in and API keys. */
export const identityRequirements = [
  ...naming,
  ...callers,
  ...setupRequest,
  ...loginRequest,
  ...antiforgeryToken,
  ...projectCreation,
  ...apiKey,
  ...settings,
  ...firstRunSetupStates,
  ...apiKeyStates,
  ...sessionStates,
  ...endpoints,
  ...firstRunSetup,
  ...passwords,
  ...localLoginOff,
  ...oidc,
  ...bearerJwt,
  ...apiKeys,
  ...scopes,
  ...sessions,
  ...hostOwnedSignIn,
  ...events,
  ...errors,
  ...limits,
] as const;
