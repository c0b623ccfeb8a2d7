export { type BearerTokens, bearerTokenOf, createBearerTokens, invalidToken } from './authenticate.ts';
export { type AskTokenEndpoint, askTokenEndpoint } from './external-login.ts';
export { type BearerSettings, bearerSettings, signatureKeys } from './settings.ts';
export { createTokenVerifier, type VerifiedToken } from './verify.ts';
