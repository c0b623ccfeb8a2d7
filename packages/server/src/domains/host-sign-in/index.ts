export { createHostAuthenticator, type HostPrincipal, type PrincipalOf } from './authenticate.ts';
export type { HostMembership, MembershipSource } from './memberships.ts';
