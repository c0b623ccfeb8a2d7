export { createHostAuthenticator, type HostPrincipal, type PrincipalOf } from './authenticate.ts';
