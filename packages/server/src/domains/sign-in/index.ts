export { type Authenticator, authenticateBy } from './authenticate.ts';
export type { ExternalUser } from './identify.ts';
export { signInRoutes } from './routes.ts';
export { createSignInService, type SignInService } from './service.ts';
export { createSignInThrottle } from './throttle.ts';
