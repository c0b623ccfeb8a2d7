export { type Authenticator, authenticateBy } from './authenticate.ts';
export { signInRoutes } from './routes.ts';
export { createSignInService, type ExternalUser, type SignInService } from './service.ts';
export { createSignInThrottle } from './throttle.ts';
